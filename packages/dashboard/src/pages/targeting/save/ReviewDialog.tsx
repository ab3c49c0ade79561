import { useRef, useState } from 'react'
import { Protected } from '../../../components/Badge.tsx'
import { Button } from '../../../components/Button.tsx'
import { Dialog } from '../../../components/Dialog.tsx'
import { Banner, ErrorBanner } from '../../../components/States.tsx'
import { AffectedUsers } from '../check/AffectedUsers.tsx'
import type { SaveRules, Targeting } from '../useTargeting.ts'
import type { TargetingDraft } from '../useTargetingDraft.ts'
import { ChangeList } from './ChangeList.tsx'
import { RequestFields, useRequest } from './RequestFields.tsx'
import styles from './Save.module.css'
import { type Meanwhile, useSave } from './useSave.ts'

interface Props {
  readonly targeting: Targeting
  readonly draft: TargetingDraft
  readonly rules: SaveRules
  readonly onClose: () => void
  readonly onDone: () => void
  readonly onConflict: (meanwhile: Meanwhile) => void
}

/** What changes and for whom, before it is saved or requested. */
export function ReviewDialog({ targeting, draft, rules, onClose, onDone, onConflict }: Props) {
  const { environment } = targeting
  const cancel = useRef<HTMLButtonElement>(null)
  const [isRequest, setRequest] = useState(rules.needsApproval)
  const { save, isSaving, error } = useSave(targeting, draft, { onSaved: onDone, onConflict })
  const request = useRequest(targeting, draft, onDone)
  const staysOff = draft.before.status !== 'active' && draft.mine.status !== 'active'
  const turnOn = () => {
    draft.dispatch({ type: 'setStatus', status: 'active' })
    // The button is gone now.
    cancel.current?.focus()
  }
  const failure = isRequest ? request.error : error
  return (
    <Dialog
      isOpen
      onClose={onClose}
      shape="wide"
      title={isRequest ? `Request a change in ${environment.name}` : `Save in ${environment.name}`}
      {...(rules.isShielded ? { initialFocus: cancel } : {})}
      actions={
        <>
          {rules.needsApproval && rules.mayBypass && (
            <Button kind="quiet" onClick={() => setRequest(!isRequest)}>
              {isRequest ? 'Save without approval' : 'Request approval instead'}
            </Button>
          )}
          <Button ref={cancel} onClick={onClose}>
            Cancel
          </Button>
          {isRequest ? (
            <Button kind="primary" onClick={request.submit} isBusy={request.isBusy}>
              Request change
            </Button>
          ) : (
            <Button kind="primary" onClick={save} isBusy={isSaving}>
              {actOf(targeting, draft)}
            </Button>
          )}
        </>
      }
    >
      <div className={styles.review}>
        {rules.isShielded && (
          <Banner tone="protected">
            <span>
              {isRequest
                ? `Nothing changes until it is approved. ${environment.name} serves real users.`
                : staysOff
                  ? `${environment.name} serves real users.`
                  : `This takes effect at once for the users of ${environment.name}.`}
            </span>
            <Protected />
          </Banner>
        )}
        {staysOff && (
          <Banner>
            <span>The feature stays off in {environment.name}: no user gets this until the feature is turned on.</span>
            <Button onClick={turnOn}>Turn it on, too</Button>
          </Banner>
        )}
        {failure && <ErrorBanner error={failure} />}
        <section className={styles.section}>
          <h2>What changes</h2>
          <ChangeList before={draft.before} after={draft.mine} context={draft.context} />
        </section>
        <section className={styles.section}>
          <h2>Affected users</h2>
          <AffectedUsers targeting={targeting} draft={draft} />
        </section>
        {isRequest && <RequestFields request={request} />}
      </div>
    </Dialog>
  )
}

/** The words of the button: the act and where. */
function actOf({ environment }: Targeting, { changes, value }: TargetingDraft): string {
  const isStatus = changes.length === 1 && changes[0]?.path[0] === 'status'
  if (isStatus) return `${value.status === 'active' ? 'Turn on' : 'Turn off'} in ${environment.name}`
  const count = new Set(changes.map(({ path }) => path.slice(0, 2).join('/'))).size
  return `Save ${count === 1 ? '1 change' : `${count} changes`} in ${environment.name}`
}
