import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig } from 'vite'
import { scopedName, stylesOfOwnPages } from '../../sign-in/own-styles.ts'

/** The gallery is served in development and is part of nothing that is built. */
export default defineConfig({
  root: import.meta.dirname,
  cacheDir: '../node_modules/.vite-gallery',
  plugins: [react()],
  resolve: { conditions: ['gatehouse-source', ...defaultClientConditions] },
  css: { modules: { generateScopedName: scopedName }, postcss: stylesOfOwnPages },
})
