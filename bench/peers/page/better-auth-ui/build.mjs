import tailwind from '@tailwindcss/vite'
import { build } from 'vite'

await build({ configFile: false, plugins: [tailwind()] })
