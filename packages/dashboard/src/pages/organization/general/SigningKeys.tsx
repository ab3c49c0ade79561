import { useState } from 'react'
import { useWrite } from '../../../api/query.ts'
import { useMissingPermission } from '../../../components/access/useMissingPermission.ts'
import { Button } from '../../../components/Button.tsx'
import { Code } from '../../../components/Copy.tsx'
import { ConfirmDialog } from '../../../components/Dialog.tsx'
import { CheckField } from '../../../components/Field.tsx'
import { DocsLink } from '../../../components/links/DocsLink.tsx'
import { Section } from '../../../components/Page.tsx'
import { Banner, ErrorBanner } from '../../../components/States.tsx'
import styles from '../../../components/settings/Settings.module.css'
import { Table } from '../../../components/Table.tsx'
import { Time } from '../../../components/Time.tsx'
import { notify } from '../../../components/Toasts.ts'

/** Replaces the key that signs access tokens, and shows the keys that verify them afterwards. */
export function SigningKeys() {
  const reason = useMissingPermission('organization:write:settings')
  const [isAsking, setAsking] = useState(false)
  const [endsPrevious, setEndsPrevious] = useState(false)
  const rotate = useWrite('rotateSigningKey')
  const confirm = () =>
    rotate.mutate(endsPrevious ? { query: { now: 'true' } } : {}, {
      onSuccess: () => {
        setAsking(false)
        notify({ text: 'Replaced the signing key' })
      }
    })
  return (
    <Section title="Signing key" actions={<DocsLink page="guides/access-control.md#tokens" />}>
      <div className={styles.danger}>
        <p>
          The server signs access tokens with a key, which it replaces every 90 days. Replace it now if the server’s
          files may have been exposed.
        </p>
        <Button onClick={() => setAsking(true)} reason={reason}>
          Replace the key…
        </Button>
      </div>
      {rotate.data && (
        <Table
          label="Keys that verify tokens"
          rows={rotate.data}
          rowKey={({ kid }) => kid}
          columns={[
            { id: 'kid', title: 'Key', cell: ({ kid }) => <Code>{kid}</Code> },
            { id: 'made', title: 'Created', cell: ({ createdAt }) => <Time value={createdAt} /> },
            {
              id: 'use',
              title: 'Purpose',
              cell: ({ retiredAt }) => (retiredAt ? 'verifies older tokens' : 'signs and verifies')
            }
          ]}
        />
      )}
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title="Replace the signing key?"
        action={endsPrevious ? 'Replace the key and invalidate all tokens' : 'Replace the key'}
        isDangerous={endsPrevious}
        onConfirm={confirm}
        isBusy={rotate.isPending}
        error={rotate.error && <ErrorBanner error={rotate.error} title="Not replaced" />}
      >
        <p>New tokens are signed with a new key. This cannot be undone.</p>
        <CheckField
          label="Invalidate all tokens of previous keys at once"
          isChecked={endsPrevious}
          onChange={setEndsPrevious}
          hint="Otherwise they stay valid until they expire, at most 24 hours."
        />
        {endsPrevious && (
          <Banner tone="danger">
            Programs need new tokens, streams reconnect, and everyone has to sign in again, including you.
          </Banner>
        )}
      </ConfirmDialog>
    </Section>
  )
}
