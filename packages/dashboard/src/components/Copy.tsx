import { Check, Copy as CopyIcon } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from './Button.tsx'
import styles from './Copy.module.css'
import { notify } from './Toasts.ts'

/** A text to copy, or a function that reads it. Nothing is copied if the function fails. */
type CopiedText = string | (() => Promise<string>)

interface CopyProps {
  readonly text: CopiedText
  readonly label: string
  readonly onCopied?: () => void
}

/** Copies a text, and confirms it for two seconds. Says how to copy it otherwise if the browser refuses. */
export function CopyButton({ text, label, onCopied }: CopyProps) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    // A failed read is shown by its owner.
    const reading = typeof text === 'string' ? Promise.resolve(text) : text()
    if (!(await writeClipboard(reading))) return notify(REFUSED)
    setCopied(true)
    onCopied?.()
    setTimeout(() => setCopied(false), 2000)
  }
  return (
    <>
      <IconButton label={label} onClick={() => void copy().catch(() => undefined)}>
        {isCopied ? <Check size={16} aria-hidden="true" /> : <CopyIcon size={16} aria-hidden="true" />}
      </IconButton>
      <span role="status" className="visually-hidden">
        {isCopied ? 'Copied' : ''}
      </span>
    </>
  )
}

const REFUSED = {
  id: 'copy',
  text: 'Your browser does not allow copying. Select the text and press Ctrl or ⌘ + C.'
}

/** Copies a text; returns whether the browser allows it. Throws if the text cannot be read. */
async function writeClipboard(reading: Promise<string>): Promise<boolean> {
  try {
    // Safari rejects a text that is written after the click was handled, but accepts a promise of it.
    const blob = reading.then((text) => new Blob([text], { type: 'text/plain' }))
    // Without the clipboard API, nothing else handles its rejection.
    blob.catch(() => undefined)
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })])
    return true
  } catch {
    return copyByCommand(await reading)
  }
}

/** Copies without the clipboard API, which pages over plain HTTP and some embedded browsers do not have. */
function copyByCommand(text: string): boolean {
  const onCopy = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text)
    event.preventDefault()
  }
  document.addEventListener('copy', onCopy)
  try {
    return document.execCommand('copy')
  } finally {
    document.removeEventListener('copy', onCopy)
  }
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
  readonly copies?: CopiedText
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
