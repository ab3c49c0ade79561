import { useParams } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { issueAt } from '../../api/issues.ts'
import { useWrite } from '../../api/query.ts'
import { useMissingPermission } from '../../components/access/useMissingPermission.ts'
import { Button } from '../../components/Button.tsx'
import { Code } from '../../components/Copy.tsx'
import { TextField } from '../../components/Field.tsx'
import { FormError } from '../../components/forms/FormError.tsx'
import { toKey } from '../../components/forms/toKey.ts'
import styles from './Start.module.css'
import type { Onboarding } from './useOnboarding.ts'

/** The variable that the code evaluates, or a form for the first feature. */
export function FeatureStep({ variable }: Pick<Onboarding, 'variable'>) {
  if (!variable) return <FirstFeature />
  return (
    <p>
      The code below evaluates the variable <Code>{variable.key}</Code>.
    </p>
  )
}

function FirstFeature() {
  const { project = '' } = useParams({ strict: false })
  const [name, setName] = useState('')
  const create = useWrite('createFeature')
  const cannotWrite = useMissingPermission('feature:write', project)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!create.isPending) create.mutate({ params: { project }, body: { name, key: toKey(name) } })
  }
  return (
    <form onSubmit={submit} className={styles.form} noValidate>
      <p>The feature gets one Boolean variable, and is off in all environments until you turn it on.</p>
      <TextField
        label="Name of the feature"
        placeholder="New checkout"
        value={name}
        onChange={setName}
        hint={toKey(name) !== '' && `Key in code: ${toKey(name)}`}
        error={issueAt(create.error, 'name') ?? issueAt(create.error, 'key')}
      />
      <FormError error={create.error} fields={['name', 'key']} />
      <div>
        <Button type="submit" kind="primary" isBusy={create.isPending} reason={cannotWrite}>
          Create feature
        </Button>
      </div>
    </form>
  )
}
