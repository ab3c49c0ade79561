import { Download } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { type ExportOperation, type ExportRequest, exportLines, type Progress } from '../../api/exportLines.ts'
import { Button } from '../Button.tsx'
import { ErrorBanner } from '../States.tsx'
import styles from './Export.module.css'
import { saveFile } from './saveFile.ts'

interface Props<I extends ExportOperation> {
  readonly operation: I
  readonly request: ExportRequest<I>
  /** The name of the file. */
  readonly file: string
  readonly reason?: string | undefined
  readonly children: ReactNode
}

type State =
  | { readonly type: 'idle' }
  | { readonly type: 'running'; readonly progress: Progress }
  | { readonly type: 'done'; readonly progress: Progress }
  | { readonly type: 'failed'; readonly error: unknown }

/** Downloads an export to a file. Shows the progress, and can be cancelled. */
export function ExportButton<I extends ExportOperation>({ operation, request, file, reason, children }: Props<I>) {
  const [state, setState] = useState<State>({ type: 'idle' })
  const controller = useRef<AbortController>(undefined)
  useEffect(() => () => controller.current?.abort(), [])
  const start = async () => {
    const running = new AbortController()
    controller.current = running
    const onProgress = (progress: Progress) => setState({ type: 'running', progress })
    onProgress({ lines: 0, bytes: 0 })
    try {
      const { blob, progress } = await exportLines(operation, request, running.signal, onProgress)
      saveFile(blob, file)
      setState({ type: 'done', progress })
    } catch (error) {
      setState(running.signal.aborted ? { type: 'idle' } : { type: 'failed', error })
    }
  }
  return (
    <span className={styles.export}>
      <Button
        icon={<Download size={16} aria-hidden="true" />}
        onClick={() => void start()}
        isBusy={state.type === 'running'}
        reason={reason}
      >
        {children}
      </Button>
      {state.type === 'running' && (
        <>
          <span className={styles.progress}>{formatProgress(state.progress)} so far</span>
          <Button kind="quiet" onClick={() => controller.current?.abort()}>
            Stop
          </Button>
        </>
      )}
      <span role="status" className={styles.progress}>
        {state.type === 'done' && `Saved ${formatProgress(state.progress)}`}
      </span>
      {state.type === 'failed' && <ErrorBanner error={state.error} title="Not exported" />}
    </span>
  )
}

function formatProgress({ lines, bytes }: Progress): string {
  const size = bytes < 1024 * 1024 ? `${Math.ceil(bytes / 1024)} KiB` : `${(bytes / 1024 / 1024).toFixed(1)} MiB`
  return `${lines.toLocaleString('en')} ${lines === 1 ? 'line' : 'lines'}, ${size}`
}
