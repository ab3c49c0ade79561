import type { UserAccount } from '@burgee/contract/schemas'
import { Link, useParams } from '@tanstack/react-router'
import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import { useSession } from '../../api/session.ts'
import { useMissingPermission } from '../../components/access/useMissingPermission.ts'
import { Button, IconButton } from '../../components/Button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../components/Menu.tsx'
import { EditPersonDialog } from './EditPersonDialog.tsx'
import styles from './People.module.css'
import { type PersonAction, PersonActionDialog } from './PersonActionDialog.tsx'

/** The actions of administrators on a person. */
export function PersonActions({ person }: { readonly person: UserAccount }) {
  const { org = '' } = useParams({ strict: false })
  const { user } = useSession()
  const settingsReason = useMissingPermission('organization:write:settings')
  const [open, setOpen] = useState<'edit' | PersonAction>()
  const isSelf = person.user_id === user.id
  const ownReason = settingsReason ?? (isSelf ? 'this is you: use the account page' : undefined)
  const close = () => setOpen(undefined)
  return (
    <span className={styles.actions}>
      <Button aria-label={`Edit ${person.name}`} onClick={() => setOpen('edit')} reason={settingsReason}>
        Edit…
      </Button>
      <Menu
        align="end"
        trigger={
          <IconButton label={`More actions for ${person.name}`}>
            <Ellipsis size={16} aria-hidden="true" />
          </IconButton>
        }
      >
        <MenuItem
          link={<Link to="/o/$org/settings/roles" params={{ org }} search={{ person: person._id }} />}
          reason={settingsReason}
        >
          Permissions of this person
        </MenuItem>
        <MenuSeparator />
        <MenuItem onSelect={() => setOpen('signOut')} reason={ownReason}>
          Sign out everywhere…
        </MenuItem>
        <MenuItem onSelect={() => setOpen('password')} reason={ownReason}>
          Reset the password…
        </MenuItem>
        <MenuItem onSelect={() => setOpen('factors')} reason={ownReason}>
          Remove second factors…
        </MenuItem>
        <MenuSeparator />
        <MenuItem
          isDangerous={!person.isDisabled}
          onSelect={() => setOpen(person.isDisabled ? 'enable' : 'disable')}
          reason={ownReason}
        >
          {person.isDisabled ? 'Enable…' : 'Disable…'}
        </MenuItem>
      </Menu>
      {open === 'edit' && <EditPersonDialog person={person} onClose={close} />}
      {open !== undefined && open !== 'edit' && <PersonActionDialog person={person} act={open} onClose={close} />}
    </span>
  )
}
