import { Check, Copy as CopyIcon } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from './Button.tsx'
import styles from './Copy.module.css'

interface CopyProps {
  readonly text: string
  readonly label: string
  readonly onCopied?: () => void
}

/** Copies a text, and confirms it for two seconds. */
export function CopyButton({ text, label, onCopied }: CopyProps) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    onCopied?.()
    setTimeout(() => setCopied(false), 2000)
  }
  return (
    <>
      <IconButton label={label} onClick={() => void copy()}>
        {isCopied ? <Check size={16} aria-hidden="true" /> : <CopyIcon size={16} aria-hidden="true" />}
      </IconButton>
      <span role="status" className="visually-hidden">
        {isCopied ? 'Copied' : ''}
      </span>
    </>
  )
}

/** A key, in a form to read and to copy. */
export function Code({ children }: { readonly children: string }) {
  return <code className={styles.code}>{children}</code>
}

/** The key of a thing beside its title, with a button that copies it. */
export function CopyableKey({ value, label = 'Copy the key' }: { readonly value: string; readonly label?: string }) {
  return (
    <span className={styles.copyable}>
      <Code>{value}</Code>
      <CopyButton text={value} label={label} />
    </span>
  )
}

interface SnippetProps {
  readonly text: string
  readonly label: string
  /** What is copied, where it differs from what is shown, as a secret does. */
  readonly copies?: string
}

/** Lines of code or of a shell, with a button that copies them. */
export function Snippet({ text, label, copies = text }: SnippetProps) {
  return (
    <div className={styles.snippet}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard. */}
      <section tabIndex={0} aria-label={label}>
        <pre>{text}</pre>
      </section>
      <span className={styles.button}>
        <CopyButton text={copies} label={`Copy: ${label}`} />
      </span>
    </div>
  )
}
