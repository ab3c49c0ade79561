import { type ComponentProps, Suspense } from 'react'
import { lazyPart } from '../lazyPage.ts'
import type { Dialog } from './Dialog.tsx'

const Loaded = lazyPart(() => import('./Dialog.tsx').then((module) => module.Dialog))

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
