import { useEffect, useRef } from 'react'
import { bodyIssues, isConflict } from '../../api/issues.ts'
import { Banner, ErrorBanner } from '../States.tsx'

interface Props {
  readonly error: Error | null
  /** The fields that show their own problems and those of their entries, as paths joined by dots. */
  readonly fields: readonly string[]
}

/** What went wrong with a form, unless each problem is shown at its field. The first such field gets the focus. */
export function FormError({ error, fields }: Props) {
  const place = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    if (error) place.current?.closest('form')?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [error])
  return (
    <>
      <span ref={place} hidden />
      {error && <Problem error={error} fields={fields} />}
    </>
  )
}

function Problem({ error, fields }: Props & { readonly error: Error }) {
  if (isConflict(error)) {
    return (
      <Banner>
        <span role="alert">
          Another person saved this while you were editing. Your changes are kept, and the other fields show the saved
          values. Review them and save again.
        </span>
      </Banner>
    )
  }
  const issues = bodyIssues(error)
  const isAtField = (path: string) => fields.some((field) => path === field || path.startsWith(`${field}.`))
  return issues.length > 0 && issues.every(({ path }) => isAtField(path)) ? null : <ErrorBanner error={error} />
}
