import type { FormEvent, ReactNode } from 'react'
import { Button } from '../Button.tsx'
import { DocsLink } from '../links/DocsLink.tsx'
import { Section } from '../Page.tsx'
import styles from './Settings.module.css'
import { useUnsaved } from './UnsavedGuard.tsx'

interface Props {
  readonly title: string
  /** What the settings are for, in a sentence. */
  readonly lead?: ReactNode
  /** The page of the documentation about them. */
  readonly docs?: string
  readonly isChanged: boolean
  readonly isBusy: boolean
  /** Why the person cannot change them. */
  readonly reason?: string | undefined
  /** The words of the button. */
  readonly action?: string
  readonly onSave: () => void
  readonly onDiscard: () => void
  /** What went wrong, and what saving will do, before the buttons. */
  readonly before?: ReactNode
  readonly children: ReactNode
}

/** A group of settings that is saved by itself. */
export function SettingsForm(props: Props) {
  const { title, lead, docs, isChanged, isBusy, reason, action = 'Save', onSave, onDiscard, before, children } = props
  useUnsaved(title, isChanged)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isChanged && !isBusy && reason === undefined) onSave()
  }
  return (
    <Section title={title} actions={docs && <DocsLink page={docs} />}>
      <form onSubmit={submit} className={styles.form} noValidate>
        {lead && <p className={styles.lead}>{lead}</p>}
        <fieldset className={styles.fields} disabled={reason !== undefined}>
          <legend className="visually-hidden">{title}</legend>
          {children}
        </fieldset>
        {before}
        <div className={styles.buttons}>
          <Button
            type="submit"
            kind="primary"
            isBusy={isBusy}
            reason={reason ?? (isChanged ? undefined : 'there are no changes')}
          >
            {action}
          </Button>
          {isChanged && <Button onClick={onDiscard}>Discard changes</Button>}
          {reason !== undefined && <span className={styles.reason}>{reason}</span>}
        </div>
      </form>
    </Section>
  )
}
