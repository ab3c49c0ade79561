import { MAX_DESCRIPTION_LENGTH } from '@burgee/contract/words'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { call, useRead } from '../../../api/query.ts'
import { refetchAfterWrite } from '../../../api/refetch.ts'
import { usePermission, useSession } from '../../../api/session.ts'
import { useSingleFlight } from '../../../api/useSingleFlight.ts'
import { CheckField, TextAreaField } from '../../../components/Field.tsx'
import { notify } from '../../../components/Toasts.ts'
import { type Targeting, useTargetingParams } from '../useTargeting.ts'
import type { TargetingDraft } from '../useTargetingDraft.ts'
import { changedMembers } from './changedMembers.ts'
import styles from './Save.module.css'

/** A change request in the making: why, who is asked, and sending it. */
export function useRequest({ project, environment }: Targeting, draft: TargetingDraft, onDone: () => void) {
  const params = useTargetingParams()
  const client = useQueryClient()
  const [description, setDescription] = useState('')
  const [reviewers, setReviewers] = useState<readonly string[]>(
    project.settings.featureApprovalWorkflow.defaultReviewers
  )
  const send = useSingleFlight({
    mutationFn: async () => {
      const created = await call('createChangeRequest', {
        params,
        body: {
          path: `/v2/projects/${params.project}/features/${params.feature}`,
          method: 'PATCH',
          // The draft is JSON: it came from JSON and is sent as such.
          body: JSON.parse(
            JSON.stringify({ configurations: { [environment.key]: changedMembers(draft.before, draft.mine) } })
          )
        }
      })
      return call('submitChangeRequest', {
        params: { ...params, id: created._id },
        body: { description, reviewers: [...reviewers] }
      })
    },
    onSuccess: () => {
      // Without the draft, the page no longer asks for its preview, which the server refuses while the request waits.
      flushSync(() => {
        draft.discard()
        onDone()
      })
      notify({ text: 'Requested the change. It takes effect when it is approved and applied.' })
      return refetchAfterWrite(client)
    }
  })
  return {
    description,
    setDescription,
    reviewers,
    setReviewers,
    submit: () => send.mutate(),
    isBusy: send.isPending,
    error: send.error
  }
}

/** Why the change is requested, and who is asked to review it. */
export function RequestFields({ request }: { readonly request: ReturnType<typeof useRequest> }) {
  const { description, setDescription, reviewers, setReviewers } = request
  const { user } = useSession()
  const mayList = usePermission('organization:read:members')
  const members = useRead('listMembers', { query: { perPage: 100 } }, { enabled: mayList }).data ?? []
  const others = members.filter(({ user_id }) => user_id !== user.id)
  const toggle = (id: string, isChosen: boolean) =>
    setReviewers(isChosen ? [...reviewers, id] : reviewers.filter((reviewer) => reviewer !== id))
  return (
    <section className={styles.section}>
      <h2>For the reviewers</h2>
      <TextAreaField
        label="Description (optional)"
        value={description}
        onChange={setDescription}
        maxLength={MAX_DESCRIPTION_LENGTH}
      />
      {others.length > 0 && (
        <fieldset className={styles.reviewers}>
          <legend>Reviewers (optional)</legend>
          {others.map(({ user_id, name }) => (
            <CheckField
              key={user_id}
              label={name}
              isChecked={reviewers.includes(user_id)}
              onChange={(isChosen) => toggle(user_id, isChosen)}
            />
          ))}
        </fieldset>
      )}
    </section>
  )
}
