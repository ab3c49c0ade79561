import type { Feature } from '@burgee/contract/schemas'
import { MoreHorizontal } from 'lucide-react'
import { useState } from 'react'
import { KillDialog } from '../../../actions/KillDialog.tsx'
import { Button, IconButton } from '../../../parts/Button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../../parts/Menu.tsx'
import { CompleteDialog } from './CompleteDialog.tsx'
import { DeleteDialog } from './DeleteDialog.tsx'
import { ArchiveDialog, ReactivateDialog } from './StatusDialogs.tsx'
import { useActReasons } from './useActReasons.ts'

type Act = 'kill' | 'complete' | 'archive' | 'reactivate' | 'delete'

interface Props {
  readonly org: string
  readonly project: string
  readonly feature: Feature
}

/** What can be done with a whole feature: kill it, complete, archive, reactivate or delete it. */
export function FeatureActions({ org, project, feature }: Props) {
  const [act, setAct] = useState<Act>()
  const reasons = useActReasons(project, feature)
  const dialog = (name: Act) => ({ isOpen: act === name, onClose: () => setAct(undefined), project, feature })
  const isActive = feature.status === 'active'
  return (
    <>
      {!reasons.isOff && (
        <Button onClick={() => setAct('kill')} reason={reasons.kill} title="Turn it off in all environments at once">
          Kill…
        </Button>
      )}
      <Menu
        align="end"
        trigger={
          <IconButton label="More about this feature">
            <MoreHorizontal size={18} aria-hidden="true" />
          </IconButton>
        }
      >
        {isActive ? (
          <MenuItem onSelect={() => setAct('complete')} reason={reasons.publish}>
            Complete…
          </MenuItem>
        ) : (
          <MenuItem onSelect={() => setAct('reactivate')} reason={reasons.write}>
            Reactivate…
          </MenuItem>
        )}
        {feature.status !== 'archived' && (
          <MenuItem onSelect={() => setAct('archive')} reason={reasons.publish}>
            Archive…
          </MenuItem>
        )}
        <MenuSeparator />
        <MenuItem isDangerous onSelect={() => setAct('delete')} reason={reasons.delete}>
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
