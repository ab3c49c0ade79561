import type { CreateProjectChangeRequest, Project } from '@burgee/contract/schemas'
import { MAX_DESCRIPTION_LENGTH } from '@burgee/contract/words'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { issueAt } from '../../../api/issues.ts'
import { call } from '../../../api/query.ts'
import { refetchAfterWrite } from '../../../api/refetch.ts'
import { useSession } from '../../../api/session.ts'
import { useSingleFlight } from '../../../api/useSingleFlight.ts'
import { usePeopleNames } from '../../../components/Actor.tsx'
import { TextAreaField } from '../../../components/Field.tsx'
import { FormDialog } from '../../../components/forms/FormDialog.tsx'
import { notify } from '../../../components/Toasts.ts'
import { PeopleChoice } from '../PeopleChoice.tsx'

interface Props {
  readonly project: Project
  /** The API request that would make the change. */
  readonly request: { readonly path: string; readonly method: 'PATCH' | 'DELETE'; readonly body?: object }
  /** The words of the button. */
  readonly action?: string
  readonly onClose: () => void
  readonly onDone: () => void
  /** What the change means. */
  readonly children?: ReactNode
}

/** Why a change of the project is requested, and who is asked to review it. Creates and submits the request. */
export function RequestDialog({ project, request, action = 'Request change', onClose, onDone, children }: Props) {
  const { user } = useSession()
  const names = usePeopleNames()
  const client = useQueryClient()
  const [description, setDescription] = useState('')
  const [reviewers, setReviewers] = useState<readonly string[]>(
    project.settings.featureApprovalWorkflow.defaultReviewers.filter((id) => id !== user.id)
  )
  const send = useSingleFlight({
    mutationFn: async () => {
      const params = { project: project.key }
      // The body is JSON: members that are undefined are left out.
      const body = JSON.parse(JSON.stringify(request)) as CreateProjectChangeRequest
      const { _id: id } = await call('createProjectChangeRequest', { params, body })
      const submitted = { description: description.trim(), reviewers: [...reviewers] }
      return call('submitProjectChangeRequest', { params: { ...params, id }, body: submitted })
    },
    onSuccess: () => {
      const isRefetched = refetchAfterWrite(client)
      notify({ text: 'Requested the change. It takes effect when it is approved and applied.' })
      onDone()
      return isRefetched
    }
  })
  const submit = () => {
    if (!send.isPending) send.mutate()
  }
  return (
    <FormDialog
      onClose={onClose}
      title={action}
      action={action}
      onSubmit={submit}
      isBusy={send.isPending}
      error={send.error}
      fields={['description']}
    >
      {children}
      <TextAreaField
        label="Description (optional)"
        value={description}
        onChange={setDescription}
        maxLength={MAX_DESCRIPTION_LENGTH}
        error={issueAt(send.error, 'description')}
        autoFocus
      />
      <PeopleChoice
        legend="Reviewers (optional)"
        people={[...names].filter(([id]) => id !== user.id)}
        chosen={reviewers}
        onChange={setReviewers}
      />
    </FormDialog>
  )
}
