import type { ComponentType } from 'react'
import type { Decisions } from '../decisions.ts'
import { ApplyDialog, BypassDialog } from './ApplyDialog.tsx'
import { ApproveDialog } from './ApproveDialog.tsx'
import { CancelDialog } from './CancelDialog.tsx'
import { RebaseDialog } from './RebaseDialog.tsx'
import { RejectDialog } from './RejectDialog.tsx'
import { ScheduleDialog } from './ScheduleDialog.tsx'
import { SubmitDialog } from './SubmitDialog.tsx'
import type { ActionDialogProps } from './useActionDialog.ts'

/** The action whose dialog is open. */
export type OpenAction = Exclude<keyof Decisions, 'approveAndApply'>

const dialogs: Readonly<Record<OpenAction, ComponentType<ActionDialogProps>>> = {
  approve: ApproveDialog,
  reject: RejectDialog,
  apply: ApplyDialog,
  bypass: BypassDialog,
  cancel: CancelDialog,
  rebase: RebaseDialog,
  schedule: ScheduleDialog,
  submit: SubmitDialog
}

interface Props extends ActionDialogProps {
  readonly open: OpenAction
}

/** The dialog of an action on a request. */
export function ActionDialogs({ open, ...props }: Props) {
  const Dialog = dialogs[open]
  return <Dialog {...props} />
}
