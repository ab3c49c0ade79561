import type { WorkloadTrust } from '@burgee/contract/schemas'
import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import { useWrite } from '../../../api/query.ts'
import { Button, IconButton } from '../../../components/Button.tsx'
import { ConfirmDialog } from '../../../components/Dialog.tsx'
import { Menu, MenuItem } from '../../../components/Menu.tsx'
import { ErrorBanner } from '../../../components/States.tsx'
import { notify } from '../../../components/Toasts.ts'
import styles from '../Clients.module.css'
import { TokensDialog } from './TokensDialog.tsx'
import { TrustDialog } from './TrustDialog.tsx'

interface Props {
  readonly trust: WorkloadTrust
}

/** The actions of owners on a trust. */
export function TrustActions({ trust }: Props) {
  const [open, setOpen] = useState<'edit' | 'tokens' | 'switch' | 'delete'>()
  const close = () => setOpen(undefined)
  return (
    <span className={styles.actions}>
      <Button aria-label={`Edit ${trust.name}`} onClick={() => setOpen('edit')}>
        Edit…
      </Button>
      <Menu
        align="end"
        trigger={
          <IconButton label={`More actions for ${trust.name}`}>
            <Ellipsis size={16} aria-hidden="true" />
          </IconButton>
        }
      >
        <MenuItem onSelect={() => setOpen('tokens')}>Tokens of jobs…</MenuItem>
        <MenuItem onSelect={() => setOpen('switch')}>{trust.enabled ? 'Turn off…' : 'Turn on…'}</MenuItem>
        <MenuItem isDangerous onSelect={() => setOpen('delete')}>
          Delete…
        </MenuItem>
      </Menu>
      {open === 'edit' && <TrustDialog trust={trust} onClose={close} />}
      {open === 'tokens' && <TokensDialog trust={trust} onClose={close} />}
      {open === 'switch' && <SwitchDialog trust={trust} onClose={close} />}
      {open === 'delete' && <DeleteDialog trust={trust} onClose={close} />}
    </span>
  )
}

interface DialogProps extends Props {
  readonly onClose: () => void
}

function SwitchDialog({ trust: { _id, name, enabled }, onClose }: DialogProps) {
  const update = useWrite('updateWorkloadTrust', ['listWorkloadTrusts'])
  const action = enabled ? 'Turn off' : 'Turn on'
  const onSuccess = () => {
    onClose()
    notify({ text: `Turned ${enabled ? 'off' : 'on'} ${name}` })
  }
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`${action}: ${name}`}
      action={action}
      isDangerous={enabled}
      isBusy={update.isPending}
      onConfirm={() => update.mutate({ params: { trust: _id }, body: { enabled: !enabled } }, { onSuccess })}
      error={update.error && <ErrorBanner error={update.error} />}
    >
      <p>
        {enabled
          ? 'All tokens of its jobs become invalid at once, and jobs get no new ones.'
          : 'Jobs can get tokens again.'}
      </p>
    </ConfirmDialog>
  )
}

function DeleteDialog({ trust: { _id, key, name }, onClose }: DialogProps) {
  const remove = useWrite('deleteWorkloadTrust', ['listWorkloadTrusts'])
  const onSuccess = () => {
    onClose()
    notify({ text: `Deleted ${name}` })
  }
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Delete ${name}`}
      action="Delete trust"
      typed={key}
      isDangerous
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate({ params: { trust: _id } }, { onSuccess })}
      error={remove.error && <ErrorBanner error={remove.error} />}
    >
      <p>All tokens of its jobs become invalid at once, and jobs get no new ones. This cannot be undone.</p>
    </ConfirmDialog>
  )
}
