import { type CreateFeature, type Environment, withDefaultVariations } from '@burgee/contract/schemas'
import { approvalNote } from '../approvals/approval.ts'
import { type Effect, inProductionFirst } from '../confirmation/effect.ts'
import { quoted, quotedList } from '../quoted.ts'
import type { Around } from './around.ts'
import { ABSENT } from './basis.ts'
import { changedFeature } from './changedFeature.ts'
import { differences } from './differences.ts'
import { type FeatureFacts, isOn } from './facts.ts'
import { featureParts } from './featureParts.ts'
import { live } from './reach.ts'

/** What creating a feature would do. */
export function createFeatureEffect(body: CreateFeature, { environments, project }: Omit<Around, 'feature'>): Effect {
  const { key, name } = body
  const after = changedFeature(empty(body, environments), withDefaultVariations(body))
  const said = after.configurations.filter(({ status, targets }) => status === 'active' || targets.length > 0)
  const on = said.filter(isOn)
  // What has no targets serves nobody.
  const reached = live({ configurations: said.filter(({ targets }) => targets.length > 0) })
  const idle = on.length > 0 && reached.length === 0 ? ', where it serves nobody before it has targets' : ''
  const where =
    on.length === 0
      ? 'switched off everywhere'
      : `on in ${quotedList(on.map(({ environment }) => environment.key))}${idle}`
  const note = on.length > 0 ? approvalNote(project, 'Switching it on') : ''
  return {
    summary: `Creates feature ${quoted(key)}, named ${quoted(name)}, ${where}.${note}`,
    changes: differences(undefined, featureParts({ ...after, configurations: said })),
    environments: reached,
    basis: ABSENT,
    isToldByChanges: true
  }
}

function empty({ key, type = 'release' }: CreateFeature, environments: readonly Environment[]): FeatureFacts {
  const configurations = inProductionFirst(environments).map((environment) => {
    return { environment, status: 'inactive' as const, targets: [] }
  })
  return { key, type, variables: [], variations: [], configurations }
}
