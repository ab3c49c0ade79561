import type { Feature } from '@burgee/contract/schemas'
import { Eye, MoreHorizontal } from 'lucide-react'
import { useState } from 'react'
import { ArchiveDialog } from '../../../actions/ArchiveDialog.tsx'
import { CompleteDialog } from '../../../actions/CompleteDialog.tsx'
import { KillDialog } from '../../../actions/KillDialog.tsx'
import { Button, IconButton } from '../../../components/Button.tsx'
import { useWatched } from '../../../components/feature/useWatched.ts'
import { Menu, MenuItem, MenuSeparator } from '../../../components/Menu.tsx'
import { DeleteDialog } from './DeleteDialog.tsx'
import { ReactivateDialog } from './ReactivateDialog.tsx'
import { useActionReasons } from './useActionReasons.ts'

type Action = 'kill' | 'complete' | 'archive' | 'reactivate' | 'delete'

interface Props {
  readonly org: string
  readonly project: string
  readonly feature: Feature
}

/** What can be done with a whole feature: kill it, complete, archive, reactivate or delete it. */
export function FeatureActions({ org, project, feature }: Props) {
  const [action, setAction] = useState<Action>()
  const reasons = useActionReasons(project, feature)
  const dialog = (name: Action) => ({ isOpen: action === name, onClose: () => setAction(undefined), project, feature })
  const isActive = feature.status === 'active'
  return (
    <>
      <WatchButton feature={feature} />
      {!reasons.isOff && (
        <Button onClick={() => setAction('kill')} reason={reasons.kill} title="Turn it off in all environments at once">
          Kill…
        </Button>
      )}
      <Menu
        align="end"
        trigger={
          <IconButton label="More actions for this feature">
            <MoreHorizontal size={18} aria-hidden="true" />
          </IconButton>
        }
      >
        {isActive ? (
          <MenuItem onSelect={() => setAction('complete')} reason={reasons.publish}>
            Complete…
          </MenuItem>
        ) : (
          <MenuItem onSelect={() => setAction('reactivate')} reason={reasons.write}>
            Reactivate…
          </MenuItem>
        )}
        {feature.status !== 'archived' && (
          <MenuItem onSelect={() => setAction('archive')} reason={reasons.publish}>
            Archive…
          </MenuItem>
        )}
        <MenuSeparator />
        <MenuItem isDangerous onSelect={() => setAction('delete')} reason={reasons.delete}>
          Delete…
        </MenuItem>
      </Menu>
      <KillDialog {...dialog('kill')} />
      <CompleteDialog {...dialog('complete')} />
      <ArchiveDialog {...dialog('archive')} />
      <ReactivateDialog {...dialog('reactivate')} />
      <DeleteDialog {...dialog('delete')} org={org} />
    </>
  )
}

/** Adds the feature to the watched ones of this browser, or removes it. */
function WatchButton({ feature: { _id } }: Pick<Props, 'feature'>) {
  const [watched, toggle] = useWatched()
  return (
    <Button
      kind="quiet"
      isFlush
      icon={<Eye size={16} aria-hidden="true" />}
      aria-pressed={watched.has(_id)}
      title="Notifies you in this browser when another person changes the feature, and lists it under “Watched”"
      onClick={() => toggle(_id)}
    >
      {watched.has(_id) ? 'Watching' : 'Watch'}
    </Button>
  )
}
