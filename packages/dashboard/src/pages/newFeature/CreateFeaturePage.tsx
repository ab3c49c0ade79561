import type { Environment } from '@burgee/contract/schemas'
import { Link, useParams } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { issueAt, useWrite } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import { useEnvironment } from '../../api/useEnvironment.ts'
import { useEnvironments } from '../../api/useEnvironments.ts'
import { useIssueAt } from '../../api/useIssueAt.ts'
import { useMissingPermission } from '../../components/access/useMissingPermission.ts'
import { Button } from '../../components/Button.tsx'
import { SelectField, TextField } from '../../components/Field.tsx'
import { FormError } from '../../components/forms/FormError.tsx'
import { KEY_CHARACTERS, toKey } from '../../components/forms/toKey.ts'
import { useNavigateFromHere } from '../../components/links/useNavigateFromHere.ts'
import { Page } from '../../components/Page.tsx'
import { Loaded } from '../../components/States.tsx'
import { formatMoment } from '../../components/Time.tsx'
import { notify } from '../../components/Toasts.ts'
import styles from './Create.module.css'
import { EnvironmentChoice } from './EnvironmentChoice.tsx'
import { presetOf, presetTarget } from './presets.ts'
import { TypeChoice } from './TypeChoice.tsx'
import { type FeatureForm, toBody, valueProblems } from './toBody.ts'
import { useNewFeatureDraft } from './useNewFeatureDraft.ts'
import { ValueFields } from './ValueFields.tsx'

/** The form of a new feature. */
export function CreateFeaturePage() {
  const { org = '', project = '' } = useParams({ strict: false })
  const environments = useEnvironments(project)
  return (
    <Page
      title="New feature"
      width="form"
      above={
        <Link to="/o/$org/p/$project/features" params={{ org, project }}>
          ← Features
        </Link>
      }
    >
      <Loaded query={environments} title="Environments could not be loaded">
        {(items) => <FeatureFields org={org} project={project} environments={items} />}
      </Loaded>
    </Page>
  )
}

interface Props {
  readonly org: string
  readonly project: string
  readonly environments: readonly Environment[]
}

const valueTypes = [
  { value: 'Boolean', label: 'Boolean: true or false' },
  { value: 'String', label: 'String: text' },
  { value: 'Number', label: 'Number' },
  { value: 'JSON', label: 'JSON: an object' }
] as const

function FeatureFields({ org, project, environments }: Props) {
  const draft = useNewFeatureDraft(project, environments)
  const form = draft.value
  const [isChecked, setChecked] = useState(false)
  const cannotWrite = useMissingPermission('feature:write', project)
  const { user } = useSession()
  const create = useCreate(
    org,
    project,
    environments.find(({ key }) => key === form.onIn[0]),
    draft.drop
  )
  const complete: FeatureForm = { ...form, key: form.key ?? toKey(form.name) }
  const target = presetTarget(presetOf(form.type), user.email)
  const problems = valueProblems(complete)
  const change = (members: Partial<FeatureForm>) => draft.set({ ...form, ...members })
  const nameIssue = useIssueAt(create.error, 'name', form.name)
  const keyIssue = useIssueAt(create.error, 'key', complete.key)
  // The first variable has the name and key of the feature, so their problems are the same.
  const isNamed = issueAt(create.error, 'name') === undefined && issueAt(create.error, 'key') === undefined
  const fields = ['name', 'key', ...(isNamed ? [] : ['variables'])]
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setChecked(true)
    if (!create.isPending && Object.keys(problems).length === 0) {
      create.mutate({ params: { project }, body: toBody(complete, target, environments) })
    }
  }
  return (
    <form onSubmit={submit} className={styles.form} noValidate>
      <TypeChoice type={form.type} onChange={(type) => change({ type, values: {} })} />
      <div className={styles.pair}>
        <TextField label="Name" value={form.name} onChange={(name) => change({ name })} error={nameIssue} />
        <TextField
          label="Key"
          isCode
          value={complete.key}
          onChange={(key) => change({ key })}
          hint={`Your code reads the feature by this key: ${KEY_CHARACTERS}`}
          error={keyIssue}
        />
      </div>
      <fieldset className={styles.group}>
        <legend>Values</legend>
        <SelectField
          label="Type of the values"
          hint="The feature starts with one variable. Add more on its tab Variations."
          value={form.valueType}
          options={valueTypes}
          onChange={(valueType) => change({ valueType, values: {} })}
        />
        <ValueFields
          form={complete}
          problems={isChecked ? problems : {}}
          onChange={(key, text) => change({ values: { ...form.values, [key]: text } })}
        />
      </fieldset>
      <EnvironmentChoice
        project={project}
        environments={environments}
        chosen={form.onIn}
        onChange={(onIn) => change({ onIn })}
        sentence={target.sentence}
      />
      <FormError error={create.error} fields={fields} />
      <div className={styles.buttons}>
        <Button type="submit" kind="primary" isBusy={create.isPending} reason={cannotWrite}>
          Create feature
        </Button>
        {draft.isDirty ? (
          <Button onClick={draft.discard}>Discard</Button>
        ) : (
          <Link to="/o/$org/p/$project/features" params={{ org, project }}>
            Cancel
          </Link>
        )}
        {draft.isDirty && draft.restoredAt !== undefined && <span>Your draft of {formatMoment(draft.restoredAt)}</span>}
      </div>
    </form>
  )
}

/** Creates the feature, and shows it in the first environment where it is on. The notice names a switch of the environment. */
function useCreate(org: string, project: string, first: Environment | undefined, onCreated: () => void) {
  const navigate = useNavigateFromHere()
  const chosen = useEnvironment(project).environment
  const write = useWrite('createFeature')
  return {
    ...write,
    mutate: (request: Parameters<typeof write.mutate>[0]) =>
      write.mutate(request, {
        onSuccess: ({ key, name }) => {
          onCreated()
          const isSwitched = first !== undefined && first.key !== chosen?.key
          notify({
            text: isSwitched
              ? `${name} is created. The page shows ${first.name}, where it is on.`
              : `${name} is created.`
          })
          void navigate({
            to: '/o/$org/p/$project/features/$feature/overview',
            params: { org, project, feature: key },
            search: first === undefined ? {} : { env: first.key }
          })
        }
      })
  }
}
