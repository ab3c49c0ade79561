import { Toast } from '@base-ui/react/toast'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './Toasts.module.css'

const manager = Toast.createToastManager()

interface Notice {
  readonly text: string
  /** Takes back what was done. */
  readonly onUndo?: () => void
}

/** Says what happened for ten seconds, longer while focused or hovered. F6 moves the focus to it. */
export function notify({ text, onUndo }: Notice): void {
  const id = manager.add({
    title: text,
    timeout: 10_000,
    ...(onUndo
      ? {
          actionProps: {
            children: 'Undo',
            onClick: () => {
              manager.close(id)
              onUndo()
            }
          }
        }
      : {})
  })
}

/** The place where notices appear. */
export function Toasts({ children }: { readonly children: ReactNode }) {
  return (
    <Toast.Provider toastManager={manager} limit={3}>
      {children}
      <Toast.Portal>
        <Toast.Viewport className={styles.viewport}>
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

function ToastList() {
  const { toasts } = Toast.useToastManager()
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className={styles.toast}>
      <Toast.Content className={styles.content}>
        <Toast.Title className={styles.title} />
        <Toast.Action className={styles.action} />
        <Toast.Close className={styles.close} aria-label="Close">
          <X size={16} aria-hidden="true" />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ))
}
