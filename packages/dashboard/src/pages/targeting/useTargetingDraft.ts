import { revisionOf } from '@burgee/contract/client'
import type { FeatureConfiguration, UpdateFeatureConfiguration } from '@burgee/contract/schemas'
import { sentences, targetWarnings, type WordContext } from '@burgee/contract/words'
import { useCallback, useDeferredValue, useMemo, useState } from 'react'
import { useSession } from '../../api/session.ts'
import { diffConfigurations } from '../../draft/diff.ts'
import { useDraft } from '../../draft/useDraft.ts'
import {
  type ConfigurationAction,
  type ConfigurationDraft,
  configurationCodec,
  configurationRefusal,
  reduceConfiguration,
  toConfiguration
} from '../../rules/targets.ts'
import { validateConfiguration } from '../../rules/validate.ts'
import { type Targeting, useTargetWordContext } from './useTargeting.ts'

/** The members of a configuration that the page edits. */
export function versionOf({ status, targets }: FeatureConfiguration): UpdateFeatureConfiguration {
  return { status, targets }
}

/** The draft of the targets of a feature in an environment, with everything that is computed from it. */
export function useTargetingDraft(targeting: Targeting, list: readonly FeatureConfiguration[]) {
  const { feature, environment, configuration, customProperties, audiences } = targeting
  const { user } = useSession()
  // Sentences and curves are about the moment of the last step.
  const [now, setNow] = useState(() => Date.now())
  const base = useMemo(() => versionOf(configuration), [configuration])
  const address = { user: user.id, resource: `feature/${feature._id}`, environment: environment._id }
  const revision = revisionOf(list) ?? ''
  const draft = useDraft({ codec: configurationCodec, base, revision, address })
  const context: WordContext = useTargetWordContext(targeting, now)
  const rules = useMemo(() => ({ isOptInEnabled: feature.settings?.optInEnabled ?? false }), [feature.settings])
  const { set } = draft
  const dispatch = useCallback(
    (action: ConfigurationAction, group?: string) => {
      setNow(Date.now())
      set((current) => reduceConfiguration(current, action, rules), group)
    },
    [set, rules]
  )
  const computed = useMemo(() => {
    const mine = toConfiguration(draft.value)
    const before = toConfiguration(configurationCodec.toDraft(draft.base))
    return {
      mine,
      before,
      changes: diffConfigurations(before, mine),
      sentences: sentences({ status: 'active', targets: mine.targets }, context),
      warnings: targetWarnings(mine, { now, variations: feature.variations })
    }
  }, [draft.value, draft.base, context, now, feature.variations])
  const validate = useCallback(
    (value: ConfigurationDraft) => {
      const known = audiences && { audiences: new Set(audiences.flatMap(({ _id, key }) => [_id, key])) }
      return validateConfiguration(value, { customProperties, ...known })
    },
    [customProperties, audiences]
  )
  // Validated after the change is painted: with 10,000 values, validation takes several frames.
  const validated = useDeferredValue(draft.value)
  const issues = useMemo(() => validate(validated), [validate, validated])
  return {
    ...draft,
    ...computed,
    /** What prevents saving, for display: it can be a frame behind the draft. */
    issues,
    /** What prevents saving the draft as it is now. */
    currentIssues: () => (validated === draft.value ? issues : validate(draft.value)),
    context,
    now,
    dispatch,
    refusalOf: (action: ConfigurationAction) => configurationRefusal(draft.value, action, rules)
  }
}

export type TargetingDraft = ReturnType<typeof useTargetingDraft>
