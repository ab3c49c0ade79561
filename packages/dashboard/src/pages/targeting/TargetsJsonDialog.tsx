import { UpdateFeatureConfiguration } from '@burgee/contract/schemas'
import { useMemo, useState } from 'react'
import { Button } from '../../components/Button.tsx'
import { CopyButton } from '../../components/Copy.tsx'
import { Dialog } from '../../components/Dialog.tsx'
import { TextAreaField } from '../../components/Field.tsx'
import { findTextProblem } from '../../components/values/jsonText.ts'
import { conditionsOf, toTree } from '../../rules/tree.ts'
import { describeJsonProblem } from './describeJsonProblem.ts'
import styles from './Targeting.module.css'
import type { Targeting } from './useTargeting.ts'
import type { TargetingDraft } from './useTargetingDraft.ts'

interface Props {
  readonly targeting: Targeting
  readonly draft: TargetingDraft
  readonly reason: string | undefined
  readonly onClose: () => void
}

/** The configuration as JSON: to copy, or to replace the draft by another one. */
export function TargetsJsonDialog({ targeting, draft, reason, onClose }: Props) {
  const current = useMemo(() => JSON.stringify(draft.mine, undefined, 2), [draft.mine])
  const [text, setText] = useState(current)
  const { configuration, problems, unknown } = useMemo(() => readJson(text, targeting), [text, targeting])
  const refusal =
    reason ??
    (text === current ? 'nothing is changed' : undefined) ??
    problems[0] ??
    (configuration?.targets && draft.refusalOf({ type: 'replaceTargets', targets: configuration.targets }))
  const apply = () => {
    if (!configuration) return
    const group = `json ${Date.now()}`
    if (configuration.status) draft.dispatch({ type: 'setStatus', status: configuration.status }, group)
    if (configuration.targets) draft.dispatch({ type: 'replaceTargets', targets: configuration.targets }, group)
    onClose()
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      shape="wide"
      title={`Configuration in ${targeting.environment.name}`}
      actions={
        <>
          <CopyButton text={text} label="Copy the JSON" />
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" onClick={apply} reason={refusal}>
            Replace the draft
          </Button>
        </>
      }
    >
      <div className={styles.json}>
        <TextAreaField
          label="JSON as in the API. Edit it or paste another configuration to replace the draft; nothing is saved yet."
          isCode
          rows={18}
          value={text}
          onChange={setText}
          error={problems.length > 0 ? problems.slice(0, 3).join(' ') : undefined}
        />
        {unknown.length > 0 && (
          <div role="status">
            <p>These do not exist in this feature and project. Replace them before saving:</p>
            <ul className={styles.issues}>
              {unknown.map((name) => (
                <li key={name}>{name}</li>
              ))}
            </ul>
          </div>
        )}
      </div>
    </Dialog>
  )
}

interface Read {
  readonly configuration?: UpdateFeatureConfiguration
  readonly problems: readonly string[]
  /** Variations and audiences that do not exist here. */
  readonly unknown: readonly string[]
}

function readJson(text: string, { feature, audiences }: Targeting): Read {
  const problem = findTextProblem(text)?.text
  if (problem !== undefined) return { problems: [problem], unknown: [] }
  const parsed = UpdateFeatureConfiguration.safeParse(JSON.parse(text))
  if (!parsed.success) return { problems: parsed.error.issues.map(describeJsonProblem), unknown: [] }
  const targets = parsed.data.targets ?? []
  const variations = new Set(feature.variations.flatMap(({ _id, key }) => [_id, key]))
  const known = new Set(audiences?.flatMap(({ _id, key }) => [_id, key]))
  const served = targets.flatMap(({ distribution }) => distribution.map(({ _variation }) => _variation))
  const asked = targets.flatMap(({ audience }) =>
    conditionsOf(toTree(audience.filters)).flatMap(({ node }) => node.filter._audiences ?? [])
  )
  const unknown = [
    ...served.filter((reference) => !variations.has(reference)).map((reference) => `variation ${reference}`),
    ...(audiences ? asked.filter((reference) => !known.has(reference)).map((reference) => `audience ${reference}`) : [])
  ]
  return { configuration: parsed.data, problems: [], unknown: [...new Set(unknown)] }
}
