import type { FormEvent, ReactNode } from 'react'
import { Button } from '../Button.tsx'
import { DocsLink } from '../links/DocsLink.tsx'
import { Section } from '../Page.tsx'
import { formatMoment } from '../Time.tsx'
import styles from './Settings.module.css'

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
  /** When the changes were kept that a reload restored. */
  readonly restoredAt: number | undefined
  /** What went wrong, and what saving will do, before the buttons. */
  readonly before?: ReactNode
  readonly children: ReactNode
}

/** A group of settings that is saved by itself. */
export function SettingsForm(props: Props) {
  const { title, lead, docs, isChanged, isBusy, reason, action = 'Save', onSave, onDiscard, restoredAt } = props
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
          {props.children}
        </fieldset>
        {props.before}
        <div data-actions className={styles.buttons}>
          <Button
            type="submit"
            kind="primary"
            isBusy={isBusy}
            reason={reason ?? (isChanged ? undefined : 'there are no changes')}
          >
            {action}
          </Button>
          {isChanged && <Button onClick={onDiscard}>Discard changes</Button>}
          {restoredAt !== undefined && <span className={styles.reason}>Your draft of {formatMoment(restoredAt)}</span>}
          {reason !== undefined && <span className={styles.reason}>{reason}</span>}
        </div>
      </form>
    </Section>
  )
}
