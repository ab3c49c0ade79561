import { parentPort, workerData } from 'node:worker_threads'
import { compact } from './storage/lowdb/document/compact.ts'

// The program of the thread in which a server compacts its file store. It receives what `runCompaction` passes on.
if (parentPort) await compact(workerData, parentPort)
