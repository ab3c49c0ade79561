import { Toast } from '@base-ui/react/toast'
import { X } from 'lucide-react'
import { useEffect } from 'react'
import styles from './Toasts.module.css'
import { connectNotices, type Notice } from './Toasts.ts'

const manager = Toast.createToastManager()

function add({ text, id: known, onUndo }: Notice): void {
  const id = manager.add({
    ...(known === undefined ? {} : { id: known }),
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

/** The notices, at the bottom of the window. */
export function ToastList() {
  // The manager drops what is added before its provider has subscribed, which the provider's own effect does.
  useEffect(() => connectNotices(add), [])
  return (
    <Toast.Provider toastManager={manager} limit={3}>
      <Toast.Portal>
        <Toast.Viewport className={styles.viewport}>
          <Toasts />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

function Toasts() {
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
