import './zod-setup.ts';
import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import './shared/ui/theme/mantine.css';
import './shared/ui/theme/palette.css';
import './shared/ui/theme/global.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Console } from './shell/console.tsx';
import { rejectMarkup } from './trusted-html.ts';

rejectMarkup();
const root = document.querySelector('#root');
if (root === null) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <Console />
  </StrictMode>,
);
