import { Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from './Button.tsx'

interface Props {
  readonly onClick: () => void
  /** Why the person cannot create one. */
  readonly reason: string | undefined
  /** The words, for example "New audience". */
  readonly children: ReactNode
}

/** The button of a list page that creates an item: at the top, and in the list while that is empty. */
export function CreateButton({ onClick, reason, children }: Props) {
  return (
    <Button kind="primary" icon={<Plus size={16} aria-hidden="true" />} onClick={onClick} reason={reason}>
      {children}
    </Button>
  )
}
