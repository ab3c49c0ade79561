import type { ProjectChange } from '@burgee/contract/schemas'
import { readWatched } from '../components/feature/useWatched.ts'
import { notify } from '../components/Toasts.ts'

/** Notifies about a change of a watched feature by another person, in the visible tab. */
export function announceWatched({ idp_user, resource, environments }: ProjectChange, self: string): void {
  if (resource.type !== 'feature' || resource.id === undefined || !readWatched().has(resource.id)) return
  if (idp_user === self || document.visibilityState === 'hidden') return
  const where = environments.length === 0 ? '' : ` in ${new Intl.ListFormat('en').format(environments)}`
  notify({
    text: `Another person changed ${resource.key ?? 'a watched feature'}${where}`,
    id: `watched ${resource.id}`
  })
}
