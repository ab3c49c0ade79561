import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '../Button.tsx'
import { CopyButton } from '../Copy.tsx'
import { ErrorBanner } from '../States.tsx'
import styles from './MaskedKey.module.css'
import { type KeyType, keyEnd, maskedKey, maskKey } from './sdkKeys.ts'
import { useSdkKey } from './useSdkKey.ts'

/** A key that is masked until it is shown. It can be copied without showing it. */
export function MaskedKey({ value }: { readonly value: string }) {
  const [isShown, setShown] = useState(false)
  const name = `the key ending in ${keyEnd(value)}`
  return (
    <KeyLine
      name={name}
      text={isShown ? value : maskKey(value)}
      isShown={isShown}
      onToggle={() => setShown(!isShown)}
      copies={value}
    />
  )
}

interface UnreadProps {
  readonly project: string
  readonly environment: string
  readonly type: KeyType
}

/** The newest key of an environment, which is read when it is shown or copied. */
export function UnreadKey(props: UnreadProps) {
  const { type } = props
  const { readKey, isShown, toggle, sdkKey, isMissing, error } = useSdkKey(props)
  if (isMissing) return <p>There is no {type} key that you can see.</p>
  const readExisting = async () => {
    const key = await readKey()
    if (key === undefined) throw new Error('there is no key')
    return key
  }
  return (
    <>
      <KeyLine
        name={`the ${type} key`}
        text={isShown && sdkKey !== undefined ? sdkKey : maskedKey(type)}
        isShown={isShown}
        onToggle={toggle}
        copies={readExisting}
      />
      {error && <ErrorBanner error={error} title="The key could not be loaded" />}
    </>
  )
}

interface LineProps {
  /** The name of the key in labels of buttons. */
  readonly name: string
  readonly text: string
  readonly isShown: boolean
  readonly onToggle: () => void
  readonly copies: string | (() => Promise<string>)
}

function KeyLine({ name, text, isShown, onToggle, copies }: LineProps) {
  return (
    <span className={styles.key}>
      <code className={isShown ? undefined : styles.masked}>{text}</code>
      <span className={styles.buttons}>
        <IconButton label={`Show ${name}`} aria-pressed={isShown} onClick={onToggle}>
          {isShown ? <EyeOff size={16} aria-hidden="true" /> : <Eye size={16} aria-hidden="true" />}
        </IconButton>
        <CopyButton text={copies} label={`Copy ${name}`} />
      </span>
    </span>
  )
}
