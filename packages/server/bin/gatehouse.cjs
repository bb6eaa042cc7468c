#!/usr/bin/env node
// Uses only syntax that old versions of Node can parse, so that they print the error below.
const version = process.versions.node
const parts = version.split('.')
const isNewEnough = Number(parts[0]) > 24 || (parts[0] === '24' && Number(parts[1]) >= 9)

if (isNewEnough) require('./run.cjs')
else {
  process.stderr.write(`Gatehouse needs Node 24.9 or later, and this is Node ${version}. Install Node 24 from https://nodejs.org/.\n`)
  process.exitCode = 1
}
