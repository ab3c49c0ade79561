import { ApiError } from '@burgee/contract/client'
import { ErrorBanner } from './States.tsx'

interface Props {
  readonly error: Error | null
  /** The fields that show their own problems, as paths joined by dots. */
  readonly fields: readonly string[]
}

/** What went wrong with a form, unless each problem stands at its field. */
export function FormError({ error, fields }: Props) {
  if (!error) return null
  const isAllAtFields =
    error instanceof ApiError &&
    error.issues.length > 0 &&
    error.issues.every(({ path }) => fields.includes(path.join('.')))
  return isAllAtFields ? null : <ErrorBanner error={error} />
}
