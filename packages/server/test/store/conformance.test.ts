import { describeStore } from '../../src/storage/conformance.ts'
import { openStore } from '../../src/storage/open/openStore.ts'
import { temporaryDirectory } from '../temporary.ts'

describeStore('memory:', () => openStore('memory:'))
describeStore('file:', async () => openStore(`file:${await temporaryDirectory()}`))
