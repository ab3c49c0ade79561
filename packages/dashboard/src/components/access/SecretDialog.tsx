import { useEffect, useState } from 'react'
import { Button } from '../Button.tsx'
import { CopyButton } from '../Copy.tsx'
import { Dialog } from '../Dialog.tsx'
import styles from './Access.module.css'
import { connectSecrets, type ShownSecret } from './shownSecrets.ts'

/** Shows the secrets that `showSecret` gets, one after another. */
export function SecretDialogs() {
  const [secrets, setSecrets] = useState<readonly ShownSecret[]>([])
  useEffect(() => connectSecrets((secret) => setSecrets((others) => [...others, secret])), [])
  const [first] = secrets
  if (!first) return null
  const close = () => {
    setSecrets(secrets.filter((secret) => secret !== first))
    first.onClose?.()
  }
  return <SecretDialog key={first.secret} shown={first} onClose={close} />
}

interface Props {
  readonly shown: ShownSecret
  readonly onClose: () => void
}

/** Shows a secret once. Closes only after the person has copied it or confirmed that they saved it. */
function SecretDialog({ shown: { title, secret, what, text }, onClose }: Props) {
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
        <p>{text}</p>
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
