import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '../Button.tsx'
import { CopyButton } from '../Copy.tsx'
import styles from './MaskedKey.module.css'
import { keyEnd, maskKey } from './sdkKeys.ts'

/** A key that is masked until it is shown. It can be copied without showing it. */
export function MaskedKey({ value }: { readonly value: string }) {
  const [isShown, setShown] = useState(false)
  const end = keyEnd(value)
  return (
    <span className={styles.key}>
      <code className={isShown ? undefined : styles.masked}>{isShown ? value : maskKey(value)}</code>
      <span className={styles.buttons}>
        <IconButton label={`Show the key ending in ${end}`} aria-pressed={isShown} onClick={() => setShown(!isShown)}>
          {isShown ? <EyeOff size={16} aria-hidden="true" /> : <Eye size={16} aria-hidden="true" />}
        </IconButton>
        <CopyButton text={value} label={`Copy the key ending in ${end}`} />
      </span>
    </span>
  )
}
