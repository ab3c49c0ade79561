import type { Environment } from '@burgee/contract/schemas'
import { Banner } from '../components/States.tsx'

/** Says that a change of a protected environment affects its users at once. */
export function ProtectedBanner({ environment }: { readonly environment: Environment }) {
  return (
    <Banner tone="protected">
      <span>
        <strong>
          <bdi>{environment.name}</bdi> is protected.
        </strong>{' '}
        Changes affect its users immediately.
      </span>
    </Banner>
  )
}
