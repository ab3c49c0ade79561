import { useWrite } from '../../api/query.ts'
import { FormDialog } from '../../components/forms/FormDialog.tsx'
import { NameKeyFields, useNameKey } from '../../components/forms/NameKeyFields.tsx'
import { useNavigateFromHere } from '../../components/links/useNavigateFromHere.ts'
import styles from './Audiences.module.css'

interface Props {
  readonly onClose: () => void
  readonly org: string
  readonly project: string
}

/** Name and key of a new audience. Its conditions come next, on its page. */
export function CreateAudienceDialog({ onClose, org, project }: Props) {
  const navigate = useNavigateFromHere()
  const value = useNameKey()
  const create = useWrite('createAudience', ['listAudiences'])
  const submit = () => {
    const { name, key } = value
    create.mutate(
      { params: { project }, body: { name, key, filters: { operator: 'and', filters: [{ type: 'all' }] } } },
      {
        onSuccess: (audience) => {
          onClose()
          void navigate({
            to: '/o/$org/p/$project/audiences/$audience',
            params: { org, project, audience: audience.key }
          })
        }
      }
    )
  }
  return (
    <FormDialog
      onClose={onClose}
      title="New audience"
      action="Create audience"
      onSubmit={submit}
      isBusy={create.isPending}
      error={create.error}
      fields={['name', 'key']}
    >
      <NameKeyFields value={value} resource="audience" error={create.error} />
      <p className={styles.soft}>A new audience contains everyone. You choose its conditions next.</p>
    </FormDialog>
  )
}
