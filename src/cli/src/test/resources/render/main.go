// Command render prints what Helm or kustomize make of a folder, by their own libraries.
//
//	render helm FOLDER VALUES_FILE NAMESPACE
//	render notes FOLDER VALUES_FILE NAMESPACE
//	render kustomize FOLDER
package main

import (
	"fmt"
	"os"
	"sort"
	"strings"

	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

func main() {
	text, err := render(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Print(text)
}

func render(args []string) (string, error) {
	switch {
	case len(args) == 4 && args[0] == "helm":
		return helm(args[1], args[2], args[3], ".yaml")
	case len(args) == 4 && args[0] == "notes":
		return helm(args[1], args[2], args[3], "NOTES.txt")
	case len(args) == 2 && args[0] == "kustomize":
		return kustomize(args[1])
	}
	return "", fmt.Errorf("%v (expected: helm or notes FOLDER VALUES_FILE NAMESPACE, or kustomize FOLDER)", args)
}

// Values are checked against the schema of the chart; the files with that suffix are printed.
func helm(folder, file, namespace, suffix string) (string, error) {
	chart, err := loader.Load(folder)
	if err != nil {
		return "", err
	}
	chosen, err := chartutil.ReadValuesFile(file)
	if err != nil {
		return "", err
	}
	release := chartutil.ReleaseOptions{Name: "sluice", Namespace: namespace, Revision: 1, IsInstall: true}
	values, err := chartutil.ToRenderValues(chart, chosen, release, chartutil.DefaultCapabilities)
	if err != nil {
		return "", err
	}
	files, err := engine.Render(chart, values)
	if err != nil {
		return "", err
	}
	names := make([]string, 0, len(files))
	for name := range files {
		if strings.HasSuffix(name, suffix) {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	var text strings.Builder
	for _, name := range names {
		text.WriteString("---\n" + files[name] + "\n")
	}
	return text.String(), nil
}

func kustomize(folder string) (string, error) {
	resources, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), folder)
	if err != nil {
		return "", err
	}
	text, err := resources.AsYaml()
	return string(text), err
}
