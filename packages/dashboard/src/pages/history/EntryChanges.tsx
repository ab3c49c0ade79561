import type { AuditLogEntry } from '@burgee/contract/schemas'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { useRead } from '../../api/query.ts'
import { Button } from '../../components/Button.tsx'
import { Changes } from '../../components/diff/Changes.tsx'
import { useDiffContext } from '../../components/diff/useDiffContext.ts'
import styles from './History.module.css'

interface Props {
  readonly entry: AuditLogEntry
  /** The key of the project, if the entry belongs to one that still exists. */
  readonly project: string | undefined
  readonly isOpenFirst: boolean
  /** Whether the feature of the entry still exists, so that its names can be read. */
  readonly hasFeature: boolean
}

/** What an entry changed, on demand: the names of variations and variables are read then. */
export function EntryChanges(props: Props) {
  const [isOpen, setOpen] = useState(props.isOpenFirst)
  return (
    <>
      <div className={styles.toggle}>
        <Button
          kind="quiet"
          aria-expanded={isOpen}
          icon={isOpen ? <ChevronDown size={16} aria-hidden="true" /> : <ChevronRight size={16} aria-hidden="true" />}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? 'Hide changes' : 'Show changes'}
        </Button>
      </div>
      {isOpen && <ShownChanges {...props} />}
    </>
  )
}

function ShownChanges({ entry, project, hasFeature }: Props) {
  const params = { project: project ?? '', feature: entry._feature ?? '' }
  const feature = useRead('getFeature', { params }, { enabled: hasFeature && project !== undefined })
  const context = useDiffContext(project, feature.data)
  return !feature.isLoading && <Changes changes={entry.changes} context={context} />
}
