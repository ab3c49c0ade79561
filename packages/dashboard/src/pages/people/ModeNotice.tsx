import type { PermissionMode } from '@burgee/contract'
import { useParams } from '@tanstack/react-router'
import { useSession } from '../../api/session.ts'
import { Banner } from '../../parts/States.tsx'

const sentences: Readonly<Record<PermissionMode, string>> = {
  flat: 'Mode flat: every person may do everything, whatever their roles are.',
  basic: 'Mode basic: what a person may do depends on their role in the organization. Roles in projects do not count.',
  full: 'Mode full: what a person may do depends on their roles in the organization and in each project.'
}

/** How the organization grants permissions at present, and where that is changed. */
export function ModeNotice() {
  const { org = '' } = useParams({ strict: false })
  const { mode } = useSession()
  return (
    <Banner tone={mode === 'flat' ? 'waiting' : 'brand'}>
      <span>
        {sentences[mode]} <a href={`/o/${org}/settings/general`}>Change the mode</a>
      </span>
    </Banner>
  )
}
