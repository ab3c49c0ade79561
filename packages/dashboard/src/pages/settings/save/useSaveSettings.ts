import type { Permission } from '@burgee/contract'
import { listLoosenedSettings } from '@burgee/contract/access'
import { revisionOf } from '@burgee/contract/client'
import type { Project, UpdateProtectedSettings } from '@burgee/contract/schemas'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { isConflict } from '../../../api/issues.ts'
import { call, ifMatch, ifMatchRevision } from '../../../api/query.ts'
import { refetchAfterWrite } from '../../../api/refetch.ts'
import { usePermission } from '../../../api/session.ts'
import { useSingleFlight } from '../../../api/useSingleFlight.ts'
import type { Edits } from '../../../components/settings/useEdits.ts'
import { notify } from '../../../components/Toasts.ts'
import { consequences } from './consequences.ts'
import { applyChange, inverseOf, type SettingsChange } from './settingsChange.ts'

/** Which operation changes the settings: that of publishers, or that of administrators. */
export type SettingsKind = 'open' | 'protected'

/** A change that waits for confirmation by the person. */
interface Asked {
  readonly change: SettingsChange
  /** What it means for users of protected environments. */
  readonly sentences: readonly string[]
  readonly needsApproval: boolean
}

/** Saves settings of a project, or requests the change where approvals cover it. */
export interface SaveSettings {
  readonly kind: SettingsKind
  readonly project: Project
  readonly asked: Asked | undefined
  readonly isBusy: boolean
  readonly error: Error | null
  /** Whether saving a change makes a change request instead. */
  readonly needsApproval: (change: SettingsChange) => boolean
  readonly start: (change: SettingsChange) => void
  readonly confirm: () => void
  readonly cancel: () => void
  /** Drops the edits after a change request was created. */
  readonly onRequested: () => void
}

/** Saves a group of settings with `If-Match`. The notice can undo it. */
export function useSaveSettings<Form extends object>(
  project: Project,
  kind: SettingsKind,
  { form, accept, discard }: Pick<Edits<Form>, 'form' | 'accept' | 'discard'>
): SaveSettings {
  const client = useQueryClient()
  const canBypass = useCanBypass(project, 'project:write:settings')
  const [asked, setAsked] = useState<Asked>()
  const { settings } = project
  const { featureApprovalWorkflow: workflow } = settings

  const needsApproval = (change: SettingsChange) =>
    workflow.enabled && !canBypass && listLoosenedSettings(settings, applyChange(settings, change)).length > 0
  /** Whether the change can be undone without a change request. */
  const inverseFor = (change: SettingsChange) => {
    const after = applyChange(settings, change)
    const isGuarded = after.featureApprovalWorkflow.enabled && listLoosenedSettings(after, settings).length > 0
    return isGuarded && !canBypass ? undefined : inverseOf(settings, change)
  }
  const write = useSingleFlight({
    mutationFn: ({ change }: { readonly change: SettingsChange; readonly edited: Form }) =>
      update(project, kind, change, ifMatch(project)),
    onError: (error) => {
      if (isConflict(error)) void refetchAfterWrite(client, { queryKey: ['getProject'] })
    },
    onSuccess: async (saved, { change, edited }) => {
      accept(edited)
      await refetchAfterWrite(client)
      setAsked(undefined)
      const inverse = inverseFor(change)
      const revision = revisionOf(saved)
      const undo = async () => {
        try {
          await update(project, kind, inverse ?? {}, ifMatchRevision(revision))
          void refetchAfterWrite(client)
          notify({ text: 'Undone' })
        } catch (error) {
          void refetchAfterWrite(client)
          notify({
            text: isConflict(error as Error)
              ? 'Could not undo: the settings were changed again meanwhile'
              : 'Could not undo the change'
          })
        }
      }
      notify({ text: 'Saved the settings', ...(inverse ? { onUndo: () => void undo() } : {}) })
    }
  })
  const start = (change: SettingsChange) => {
    const sentences = consequences(settings, applyChange(settings, change))
    const isRequest = needsApproval(change)
    write.reset()
    if (isRequest || sentences.length > 0) setAsked({ change, sentences, needsApproval: isRequest })
    else write.mutate({ change, edited: form })
  }
  return {
    kind,
    project,
    asked,
    isBusy: write.isPending,
    error: write.error,
    needsApproval,
    start,
    confirm: () => asked && write.mutate({ change: asked.change, edited: form }),
    cancel: () => setAsked(undefined),
    onRequested: () => {
      setAsked(undefined)
      discard()
    }
  }
}

/** Whether the person makes such changes of the project without approval, although others need it. */
export function useCanBypass({ key, settings }: Project, permission: Permission): boolean {
  const mayPublish = usePermission('feature:publish', key)
  const mayWrite = usePermission(permission, key)
  return settings.featureApprovalWorkflow.allowPublisherBypass && mayPublish && mayWrite
}

/** The request that makes a change of settings, for the API and for change requests. */
export function settingsRequest(
  { key, settings }: Pick<Project, 'key' | 'settings'>,
  kind: SettingsKind,
  change: SettingsChange
) {
  const { disablePassthroughRollouts } = settings
  return kind === 'protected'
    ? { path: `/v1/projects/${key}/settings/protected`, body: { settings: change } }
    : { path: `/v1/projects/${key}/settings`, body: { settings: { disablePassthroughRollouts, ...change } } }
}

function update(project: Project, kind: SettingsKind, change: SettingsChange, headers: object): Promise<Project> {
  const params = { key: project._id }
  const { disablePassthroughRollouts } = project.settings
  return kind === 'protected'
    ? // Groups of this kind change protected settings only.
      call('updateProtectedSettings', {
        params,
        headers,
        body: { settings: change as UpdateProtectedSettings['settings'] }
      })
    : call('updateProjectSettings', { params, headers, body: { settings: { disablePassthroughRollouts, ...change } } })
}
