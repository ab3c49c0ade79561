import type { Environment } from '@burgee/contract/schemas'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { issueAt, useWrite } from '../../api/query.ts'
import { SelectField } from '../../components/Field.tsx'
import { FormDialog } from '../../components/forms/FormDialog.tsx'
import { NameKeyFields, useNameKey } from '../../components/forms/NameKeyFields.tsx'
import { useNavigateFromHere } from '../../components/links/useNavigateFromHere.ts'
import styles from './Environments.module.css'
import { environmentTypes } from './types.ts'

/** Name, key and type of a new environment. Opens its page afterwards. */
export function CreateEnvironmentDialog({ onClose }: { readonly onClose: () => void }) {
  const { org = '', project = '' } = useParams({ strict: false })
  const navigate = useNavigateFromHere()
  const value = useNameKey()
  const [type, setType] = useState<Environment['type']>('development')
  const create = useWrite('createEnvironment')
  const submit = () =>
    create.mutate(
      { params: { project }, body: { name: value.name, key: value.key, type } },
      {
        onSuccess: ({ key }) => {
          onClose()
          void navigate({
            to: '/o/$org/p/$project/environments/$environment',
            params: { org, project, environment: key }
          })
        }
      }
    )
  return (
    <FormDialog
      onClose={onClose}
      title="New environment"
      action="Create environment"
      onSubmit={submit}
      isBusy={create.isPending}
      error={create.error}
      fields={['name', 'key', 'type']}
    >
      <NameKeyFields value={value} resource="environment" error={create.error} />
      <SelectField
        label="Type"
        value={type}
        options={environmentTypes}
        onChange={setType}
        hint="Changes in protected environments require the permission to publish, and a confirmation."
        error={issueAt(create.error, 'type')}
      />
      <p className={styles.soft}>All features start off. The environment gets one SDK key of each type.</p>
    </FormDialog>
  )
}
