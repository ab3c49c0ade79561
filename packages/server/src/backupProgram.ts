import { parentPort, workerData } from 'node:worker_threads'
import { rotateCopies } from './storage/backup/rotateCopies.ts'

// The program of the thread in which a server copies its file store. It receives a `RotationInput`, and answers with
// the path of the copy.
if (parentPort) parentPort.postMessage(await rotateCopies(workerData))
