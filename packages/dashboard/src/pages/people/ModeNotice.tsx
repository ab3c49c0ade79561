import type { PermissionMode } from '@burgee/contract'
import { useParams } from '@tanstack/react-router'
import { useSession } from '../../api/session.ts'
import { Banner } from '../../components/States.tsx'

const sentences: Readonly<Record<PermissionMode, string>> = {
  flat: 'Flat mode: everyone has all permissions, regardless of their roles.',
  basic: 'Basic mode: permissions depend on the role in the organization. Project roles do not apply.',
  full: 'Full mode: permissions depend on the roles in the organization and in each project.'
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
