import { revisionOf } from '@burgee/contract/client'
import type { Feature, Variable } from '@burgee/contract/schemas'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { ifMatchRevision, useRead, useWrite } from '../../api/query.ts'
import { describePlaces, useCodeReads } from '../../api/useCodeReads.ts'
import { useEnvironment } from '../../api/useEnvironment.ts'
import { useMissingPermission } from '../../components/access/useMissingPermission.ts'
import { Badge } from '../../components/Badge.tsx'
import { Button } from '../../components/Button.tsx'
import { CopyableKey, CopyButton } from '../../components/Copy.tsx'
import { ConfirmDialog } from '../../components/Dialog.tsx'
import { useNavigateFromHere } from '../../components/links/useNavigateFromHere.ts'
import { Page, Section } from '../../components/Page.tsx'
import { ErrorBanner, Loaded } from '../../components/States.tsx'
import { SdkSnippet } from '../../components/snippets/SdkSnippet.tsx'
import { notify } from '../../components/Toasts.ts'
import { toLine } from '../../components/values/valueText.ts'
import { VariableForm } from './VariableForm.tsx'
import styles from './Variables.module.css'

/** A variable: its values in each variation, its settings, and its archiving and deletion. */
export function VariablePage() {
  const { org = '', project = '', variable: key = '' } = useParams({ strict: false })
  const variable = useRead('getVariable', { params: { project, key } })
  const cannotWrite = useMissingPermission('variable:write', project)
  const { environment } = useEnvironment(project)
  const reason = cannotWrite
  return (
    <Page
      title={variable.data?.name ?? key}
      width="form"
      above={
        <Link to="/o/$org/p/$project/variables" params={{ org, project }}>
          ← Variables
        </Link>
      }
      beside={
        variable.data && (
          <>
            {variable.data.name === variable.data.key ? (
              <CopyButton text={variable.data.key} label="Copy the key" />
            ) : (
              <CopyableKey value={variable.data.key} />
            )}
            <Badge tone="off">{variable.data.type}</Badge>
            {variable.data.status === 'archived' && <Badge tone="waiting">archived</Badge>}
          </>
        )
      }
    >
      <Loaded query={variable} title="The variable could not be loaded">
        {(loaded) => (
          <>
            <Section title="Values">
              <VariableValues variable={loaded} />
            </Section>
            {loaded.status === 'active' && environment && (
              <Section title={`In code, with a key of ${environment.name}`}>
                <CodeReads project={project} feature={loaded._feature} variable={loaded.key} />
                <SdkSnippet project={project} environment={environment.key} variable={loaded} />
              </Section>
            )}
            <Section title="Settings">
              <VariableForm key={loaded._id} variable={loaded} reason={reason} />
            </Section>
            <Section title="Archive or delete">
              <VariableEnd variable={loaded} reason={reason} />
            </Section>
          </>
        )}
      </Loaded>
    </Page>
  )
}

interface ReadsProps {
  readonly project: string
  readonly feature: string | undefined
  readonly variable: string
}

/** How many places read the variable, with a link to the list of them. Renders nothing in projects without a scan. */
function CodeReads({ project, feature, variable }: ReadsProps) {
  const { org = '' } = useParams({ strict: false })
  const reads = useCodeReads(project)
  if (!reads) return null
  const count = reads.get(variable) ?? 0
  if (count === 0) return <p>No scan has found code that reads this variable.</p>
  return (
    <p>
      The last scans found {describePlaces(count)} that read this variable.{' '}
      {feature !== undefined && (
        <Link to="/o/$org/p/$project/features/$feature/code" params={{ org, project, feature }}>
          Show {count === 1 ? 'it' : 'them'}
        </Link>
      )}
    </p>
  )
}

/** The value in each variation of the feature, to read; the feature's own page changes them. */
function VariableValues({ variable }: { readonly variable: Variable }) {
  const { project = '' } = useParams({ strict: false })
  const feature = useRead(
    'getFeature',
    { params: { project, feature: variable._feature ?? '' } },
    { enabled: variable._feature !== undefined }
  )
  if (variable._feature === undefined) {
    return <p>No feature has this variable, so applications use the code’s default.</p>
  }
  return (
    <Loaded query={feature} title="The feature could not be loaded">
      {(loaded) => <FeatureValues feature={loaded} variable={variable} />}
    </Loaded>
  )
}

function FeatureValues({ feature, variable }: { readonly feature: Feature; readonly variable: Variable }) {
  const { org = '', project = '' } = useParams({ strict: false })
  return (
    <>
      <p>
        The feature{' '}
        <Link to="/o/$org/p/$project/features/$feature/variations" params={{ org, project, feature: feature.key }}>
          {feature.name}
        </Link>{' '}
        sets them.
      </p>
      <dl className={styles.values}>
        {feature.variations.map(({ _id, name, variables }) => (
          <div key={_id}>
            <dt>
              <bdi>{name}</bdi>
            </dt>
            <dd>
              <Value label={name} text={toLine(variables?.[variable.key]) || 'empty text'} />
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}

/** The length from which the box of a value can scroll: shorter ones fit it on a phone. */
const LONG = 200

function Value({ label, text }: { readonly label: string; readonly text: string }) {
  const code = (
    <code>
      <bdi>{text}</bdi>
    </code>
  )
  if (text.length < LONG) return code
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields of a form.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard.
    <div role="group" tabIndex={0} aria-label={label} className={styles.longValue}>
      {code}
    </div>
  )
}

interface EndProps {
  readonly variable: Variable
  readonly reason: string | undefined
}

/** Archives or deletes a variable that belongs to no feature. */
function VariableEnd({ variable, reason }: EndProps) {
  const { org = '', project = '' } = useParams({ strict: false })
  const navigate = useNavigateFromHere()
  const [isDeleting, setDeleting] = useState(false)
  const status = useWrite('updateVariableStatus')
  const remove = useWrite('deleteVariable', ['listVariables'])
  const isArchived = variable.status === 'archived'
  const blocked = reason ?? (variable._feature === undefined ? undefined : 'remove it from its feature first')
  const revision = revisionOf(variable)
  const request = {
    params: { project, key: variable.key },
    headers: ifMatchRevision(revision)
  }
  const setStatus = (next: Variable['status']) =>
    status.mutate(
      { ...request, body: { status: next } },
      { onSuccess: () => notify({ text: `${next === 'archived' ? 'Archived' : 'Restored'} ${variable.key}` }) }
    )
  return (
    <>
      <p>
        {variable._feature === undefined
          ? 'An archived variable cannot be added to a feature. Deletion is permanent.'
          : 'A variable that belongs to a feature can neither be archived nor deleted.'}
      </p>
      {status.error && <ErrorBanner error={status.error} />}
      <div className={styles.buttons}>
        <Button
          reason={blocked}
          isBusy={status.isPending}
          onClick={() => setStatus(isArchived ? 'active' : 'archived')}
        >
          {isArchived ? 'Restore' : 'Archive'}
        </Button>
        <Button reason={blocked} onClick={() => setDeleting(true)}>
          Delete…
        </Button>
      </div>
      <ConfirmDialog
        isOpen={isDeleting}
        onClose={() => setDeleting(false)}
        title={`Delete ${variable.key}?`}
        action="Delete variable"
        isDangerous
        typed={variable.key}
        isBusy={remove.isPending}
        error={remove.error && <ErrorBanner error={remove.error} />}
        onConfirm={() =>
          remove.mutate(request, {
            onSuccess: () => {
              notify({ text: `Deleted ${variable.key}` })
              void navigate({ to: '/o/$org/p/$project/variables', params: { org, project } })
            }
          })
        }
      >
        <p>This cannot be undone. Applications that read it use the code’s default.</p>
      </ConfirmDialog>
    </>
  )
}
