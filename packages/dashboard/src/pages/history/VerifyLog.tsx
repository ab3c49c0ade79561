import { useState } from 'react'
import { useRead } from '../../api/query.ts'
import { useMissingPermission } from '../../components/access/useMissingPermission.ts'
import { Button } from '../../components/Button.tsx'
import { Dialog } from '../../components/Dialog.tsx'
import { Banner, Loaded } from '../../components/States.tsx'
import { formatMoment } from '../../components/Time.tsx'

/** Checks that no entry of the organization's log was changed or removed. */
export function VerifyLog() {
  const [isOpen, setOpen] = useState(false)
  const cannotVerify = useMissingPermission('organization:write:settings')
  const result = useRead('verifyAudit', {}, { enabled: isOpen })
  return (
    <>
      <Button onClick={() => setOpen(true)} reason={cannotVerify}>
        Verify the log…
      </Button>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title="Verify the log">
        <Loaded query={result} title="The log could not be verified">
          {({ isIntact, entries, broken }) =>
            isIntact ? (
              <Banner tone="brand">
                Intact: none of the {entries.toLocaleString('en')} entries of the organization was changed or removed.
              </Banner>
            ) : (
              <Banner tone="danger">
                An entry was changed or removed
                {broken?.date ? ` on ${formatMoment(broken.date)}` : ''}: {broken?.reason}
              </Banner>
            )
          }
        </Loaded>
      </Dialog>
    </>
  )
}
