import { Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useMissingPermission } from '../../components/access/useMissingPermission.ts'
import button from '../../components/Button.module.css'
import { Button } from '../../components/Button.tsx'

/** The organization and the project, by their keys. */
export interface ProjectProps {
  readonly org: string
  readonly project: string
}

/** The link to the page that creates a feature. */
export function NewFeature({ org, project }: ProjectProps) {
  const cannotWrite = useMissingPermission('feature:write', project)
  const icon = <Plus size={16} aria-hidden="true" />
  if (cannotWrite) {
    return (
      <Button kind="primary" icon={icon} reason={cannotWrite}>
        New feature
      </Button>
    )
  }
  return (
    <Link
      to="/o/$org/p/$project/features/new"
      params={{ org, project }}
      className={`${button.button} ${button.primary}`}
    >
      {icon}
      New feature
    </Link>
  )
}
