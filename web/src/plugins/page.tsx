/** A plugin's page: compiled in, or a module that the plugin serves. */

import { useQuery } from "@tanstack/react-query";
import { Suspense } from "react";
import { useParams } from "react-router";
import { pagesQuery } from "../api/pages";
import { PageMissing } from "../shell/page-missing";
import { Loaded } from "../ui/loaded";
import { Page, PageSkeleton } from "../ui/page";
import { ModuleFrame } from "./module-frame";
import { findBundledPage } from "./registry";

export function PluginPage() {
  const { plugin = "", slug = "" } = useParams();
  const Bundled = findBundledPage(plugin, slug);
  if (Bundled !== null) {
    return (
      <Suspense fallback={<PageSkeleton />}>
        <Bundled />
      </Suspense>
    );
  }
  return <ServedPage key={`${plugin}/${slug}`} plugin={plugin} slug={slug} />;
}

interface ServedPageProps {
  plugin: string;
  slug: string;
}

function ServedPage({ plugin, slug }: ServedPageProps) {
  return (
    <Loaded query={useQuery(pagesQuery)} loading={<PageSkeleton />}>
      {(pages) => {
        const page = pages.find((entry) => entry.plugin === plugin && entry.slug === slug);
        if (!page?.module) return <PageMissing />;
        return (
          <Page title={page.title}>
            <ModuleFrame plugin={plugin} url={page.module} />
          </Page>
        );
      }}
    </Loaded>
  );
}
