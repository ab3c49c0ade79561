import { Plus, X } from 'lucide-react'
import { Button, IconButton } from '../../../../components/Button.tsx'
import { TextField } from '../../../../components/Field.tsx'
import styles from './About.module.css'
import type { AboutFields } from './aboutFields.ts'

type Links = AboutFields['links']

interface Props {
  readonly links: Links
  readonly onChange: (links: Links) => void
  /** What is wrong with a member of a link. */
  readonly issue: (index: number, member: 'title' | 'url') => string | undefined
}

/** Links to documents about a feature. */
export function LinkFields({ links, onChange, issue }: Props) {
  const set = (index: number, change: Partial<Links[number]>) =>
    onChange(links.map((link, at) => (at === index ? { ...link, ...change } : link)))
  return (
    <fieldset className={styles.links}>
      <legend>Links</legend>
      {links.map(({ id, title, url }, index) => (
        <div key={id} className={styles.link}>
          <TextField
            label={`Title of link ${index + 1}`}
            isLabelHidden
            placeholder="Title"
            value={title}
            onChange={(value) => set(index, { title: value })}
            error={issue(index, 'title')}
          />
          <TextField
            label={`Address of link ${index + 1}`}
            isLabelHidden
            placeholder="https://…"
            value={url}
            onChange={(value) => set(index, { url: value })}
            error={issue(index, 'url')}
          />
          <IconButton
            label={`Remove link ${index + 1}`}
            onClick={() => onChange(links.filter((_, at) => at !== index))}
          >
            <X size={16} aria-hidden="true" />
          </IconButton>
        </div>
      ))}
      <Button
        kind="quiet"
        icon={<Plus size={16} aria-hidden="true" />}
        onClick={() => onChange([...links, { id: Math.max(0, ...links.map(({ id }) => id)) + 1, title: '', url: '' }])}
      >
        Add a link
      </Button>
    </fieldset>
  )
}
