import type { Environment, FeatureListItem, UpdateFeatures } from '@burgee/contract/schemas'
import { isProtected } from '@burgee/contract/words'
import { useMutation } from '@tanstack/react-query'
import { type ComponentProps, type FormEvent, useId, useState } from 'react'
import { revertChanges } from '../../../actions/featureUndo.ts'
import { KillConsequences } from '../../../actions/KillConsequences.tsx'
import { KillReasonField } from '../../../actions/KillReasonField.tsx'
import { ProtectedBanner } from '../../../actions/ProtectedBanner.tsx'
import { issueIn } from '../../../api/issues.ts'
import { Button } from '../../../components/Button.tsx'
import { Dialog } from '../../../components/Dialog.tsx'
import { TextField } from '../../../components/Field.tsx'
import { Banner, ErrorBanner, Loaded } from '../../../components/States.tsx'
import styles from './BulkDialog.module.css'
import { BulkFields } from './BulkFields.tsx'
import { BulkReport } from './BulkReport.tsx'
import {
  appliedChanges,
  type BulkAction,
  type BulkInput,
  countFeatures,
  countReady,
  EVERYWHERE,
  toBulkUpdate
} from './bulkActions.ts'
import { useBulkPreview, useBulkUpdate } from './bulkUpdates.ts'

interface Props {
  readonly action: BulkAction
  /** The selected features. */
  readonly rows: readonly FeatureListItem[]
  readonly project: string
  readonly environments: readonly Environment[]
  readonly environment: Environment | undefined
  readonly onClose: () => void
}

const verbs = { tag: 'Tag', enable: 'Turn on', disable: 'Turn off', archive: 'Archive' } as const

/** Asks for what an action needs, shows what it would do to each feature, makes the changes, and reports them. */
export function BulkDialog({ action, rows, project, environments, environment, onClose }: Props) {
  // Archived features leave the list, and with it the selection.
  const [selected] = useState(rows)
  const features = selected.map(({ key }) => key)
  const [input, setInput] = useState<BulkInput>({
    tagAction: 'addTags',
    tags: '',
    environment: environment?.key ?? ''
  })
  const [typed, setTyped] = useState('')
  const [reason, setReason] = useState('')
  const form = useId()
  // Tags are typed, so their preview waits until it is asked for.
  const [isAsked, setAsked] = useState(action !== 'tag')
  const update = toBulkUpdate(action, features, input)
  const wanted = isAsked ? update : undefined
  const run = useBulkUpdate(project)
  const preview = useBulkPreview(project, run.data ? undefined : wanted)
  const ready = wanted && !preview.isFetching ? countReady(preview.data ?? []) : 0
  const word = confirmation(wanted, environments)
  const isKill = wanted?.action === 'kill'
  const act = isKill ? `Turn off ${countFeatures(ready)} everywhere` : `${verbs[action]} ${countFeatures(ready)}`
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!wanted) setAsked(update !== undefined)
    else if (ready > 0 && (word === undefined || typed === word)) run.mutate(withReason(wanted, reason))
  }
  if (run.data) {
    return <ResultDialog project={project} items={run.data} environments={environments} onClose={onClose} />
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={isKill ? `Kill ${countFeatures(features.length)}?` : `${verbs[action]} ${countFeatures(features.length)}`}
      shape="wide"
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          {wanted ? (
            <Button
              type="submit"
              form={form}
              kind={action === 'archive' || isKill ? 'danger' : 'primary'}
              isBusy={run.isPending}
              reason={reasonAgainst(ready, word, typed)}
            >
              {act}
            </Button>
          ) : (
            <Button type="submit" form={form} kind="primary" reason={update ? undefined : 'enter a tag first'}>
              Preview
            </Button>
          )}
        </>
      }
    >
      <form id={form} onSubmit={submit} className={styles.form}>
        <BulkFields
          action={action}
          input={input}
          environments={environments}
          error={preview.error}
          onChange={(members) => {
            setInput({ ...input, ...members })
            setAsked(action !== 'tag')
            setTyped('')
            run.reset()
          }}
        />
        <Warning update={wanted} environments={environments} project={project} rows={selected} />
        {wanted && issueIn(preview.error, 'tags') === undefined && (
          <Loaded query={preview} title="What would change could not be computed">
            {(items) => <BulkReport items={items} environments={environments} />}
          </Loaded>
        )}
        {isKill && <KillReasonField value={reason} onChange={setReason} />}
        {word !== undefined && ready > 0 && (
          <TextField label={`Type ${word} to confirm`} value={typed} onChange={setTyped} isCode />
        )}
        {run.error && <ErrorBanner error={run.error} title="Not all features were changed" />}
      </form>
    </Dialog>
  )
}

interface ResultProps extends Pick<Props, 'project' | 'environments' | 'onClose'> {
  readonly items: ComponentProps<typeof BulkReport>['items']
}

/** The applied changes, with an undo. */
function ResultDialog({ project, items, environments, onClose }: ResultProps) {
  const changes = appliedChanges(project, items)
  const undo = useMutation({ mutationFn: () => revertChanges(changes), onSuccess: onClose })
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Result"
      shape="wide"
      actions={
        <>
          {changes.length > 0 && (
            <Button onClick={() => undo.mutate()} isBusy={undo.isPending}>
              Undo
            </Button>
          )}
          <Button kind="primary" onClick={onClose} autoFocus>
            Close
          </Button>
        </>
      }
    >
      <BulkReport items={items} environments={environments} />
    </Dialog>
  )
}

/** The update with the reason for a kill, which the preview does not need. */
function withReason(update: UpdateFeatures, reason: string): UpdateFeatures {
  const trimmed = reason.trim()
  return update.action === 'kill' && trimmed !== '' ? { ...update, reason: trimmed } : update
}

/** The text that has to be typed first: for protected environments and for archiving. A kill is urgent. */
function confirmation(update: UpdateFeatures | undefined, environments: readonly Environment[]): string | undefined {
  switch (update?.action) {
    case 'archive':
      return 'archive'
    case 'enable':
    case 'disable':
      return protectedOne(update.environment, environments)?.key
    default:
      return undefined
  }
}

function protectedOne(key: string, environments: readonly Environment[]): Environment | undefined {
  return environments.find((environment) => environment.key === key && isProtected(environment))
}

function reasonAgainst(ready: number, word: string | undefined, typed: string): string | undefined {
  if (ready === 0) return 'nothing would change'
  return word === undefined || typed === word ? undefined : `type ${word} first`
}

interface WarningProps extends Pick<Props, 'environments' | 'project' | 'rows'> {
  readonly update: UpdateFeatures | undefined
}

/** What the users of protected environments notice. */
function Warning({ update, environments, project, rows }: WarningProps) {
  if (update?.action === 'archive') {
    return (
      <Banner tone="danger">
        Archived features are served nowhere: applications use the default values of their code. You can make a feature
        active again.
      </Banner>
    )
  }
  if (update?.action === 'kill') {
    return (
      <Banner tone="danger">
        <div className={styles.warning}>
          <p>
            The features are turned off in all environments at once, including protected ones. Applications use the
            defaults in their code.
          </p>
          <KillConsequences project={project} waiting={rows.filter((row) => row.pendingChangeRequests > 0).length} />
        </div>
      </Banner>
    )
  }
  const key = update && 'environment' in update ? update.environment : EVERYWHERE
  const environment = protectedOne(key, environments)
  return environment && <ProtectedBanner environment={environment} />
}
