import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
const b = process.cpuUsage(); 
const name = process.argv[2]
if (name) await import(name.startsWith('.')||name.startsWith('/') ? pathToFileURL(name).href : name)
const u = process.cpuUsage(b); console.log(((u.user+u.system)/1000).toFixed(0).padStart(6), name)
