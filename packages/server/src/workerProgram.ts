import { runWorker } from './composition/workers/runWorker.ts'

// The program of a process that evaluates. Its argument is what `WorkerSettings` describes.
await runWorker(JSON.parse(process.argv[2] ?? '{}'))
