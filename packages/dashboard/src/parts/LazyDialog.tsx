import { type ComponentProps, lazy, Suspense } from 'react'
import type { Dialog } from './Dialog.tsx'

const Loaded = lazy(() => import('./Dialog.tsx').then((module) => ({ default: module.Dialog })))

/** A dialog whose code loads when it opens first. For dialogs that most visits never see. */
export function LazyDialog(props: ComponentProps<typeof Dialog>) {
  return (
    props.isOpen && (
      <Suspense fallback={null}>
        <Loaded {...props} />
      </Suspense>
    )
  )
}
