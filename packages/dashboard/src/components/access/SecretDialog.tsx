import { type ReactNode, useState } from 'react'
import { Button } from '../Button.tsx'
import { CopyButton } from '../Copy.tsx'
import { Dialog } from '../Dialog.tsx'
import styles from './Access.module.css'

interface Props {
  readonly title: string
  readonly secret: string
  /** What the secret is, for example "the password". */
  readonly what: string
  readonly onClose: () => void
  /** What to do with it. */
  readonly children: ReactNode
}

/** Shows a secret once. Closes only after the person has copied it or confirmed that they saved it. */
export function SecretDialog({ title, secret, what, onClose, children }: Props) {
  const [isCopied, setCopied] = useState(false)
  return (
    <Dialog
      isOpen
      isHeld={!isCopied}
      onClose={onClose}
      title={title}
      actions={
        <Button kind="primary" onClick={onClose}>
          {isCopied ? 'Done' : 'I have saved it'}
        </Button>
      }
    >
      <div className={styles.secretBody}>
        {children}
        <div className={styles.secret}>
          <code>{secret}</code>
          <CopyButton text={secret} label={`Copy ${what}`} onCopied={() => setCopied(true)} />
        </div>
        <p>
          <strong>Copy it now.</strong> It is not shown again.
        </p>
      </div>
    </Dialog>
  )
}
