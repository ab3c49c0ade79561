import { useWrite } from '../../api/query.ts'
import { FormDialog } from '../../components/forms/FormDialog.tsx'
import { NameKeyFields, useNameKey } from '../../components/forms/NameKeyFields.tsx'
import { useNavigateFromHere } from '../../components/links/useNavigateFromHere.ts'

interface Props {
  readonly onClose: () => void
  readonly org: string
}

/** Name and key of a new project. */
export function CreateProjectDialog({ onClose, org }: Props) {
  const navigate = useNavigateFromHere()
  const value = useNameKey()
  const create = useWrite('createProject')
  const submit = () =>
    create.mutate(
      { body: { name: value.name, key: value.key } },
      {
        onSuccess: (project) => {
          onClose()
          void navigate({ to: '/o/$org/p/$project/start', params: { org, project: project.key } })
        }
      }
    )
  return (
    <FormDialog
      onClose={onClose}
      title="New project"
      action="Create project"
      onSubmit={submit}
      isBusy={create.isPending}
      error={create.error}
      fields={['name', 'key']}
    >
      <NameKeyFields value={value} resource="project" error={create.error} />
    </FormDialog>
  )
}
